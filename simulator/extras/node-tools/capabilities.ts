import type { HandlerTable } from '../../cluster/call';
import { CPU_FLAGS, CPU_MODELS } from '../../schema/formats/cpu-models';

export const nodeCapabilitiesHandlers: HandlerTable = {
  'GET /nodes/{node}/capabilities/qemu/machines': () => [
    ...['i440fx', 'q35'].flatMap(type => VERSIONS.map(version => machine(type, version))),
    machine('q35', '4.0.1'),
  ],
  'GET /nodes/{node}/capabilities/qemu/cpu': () =>
    [...CPU_MODELS].map(name => ({ name, custom: 0, vendor: vendorOf(name) })),
  'GET /nodes/{node}/capabilities/qemu/cpu-flags': ({ sim }) => {
    const supported = sim.world.nodes.map(({ name }) => name);
    return CPU_FLAGS.map(name => ({ name, 'supported-on': supported }));
  },
  // PVE: a JSON boolean here (qemu-server, migration capabilities), and a 1 in the preconditions of a migration
  'GET /nodes/{node}/capabilities/qemu/migration': () => ({ 'has-dbus-vmstate': true }),
};

/** The machine versions of qemu 10.0 (recording c0, step 19). */
const VERSIONS =
  '2.4 2.5 2.6 2.7 2.8 2.9 2.10 2.11 2.12 3.0 3.1 4.0 4.1 4.1+pve1 4.1+pve2 4.2 5.0 5.1 5.2 6.0 6.1 6.2 7.0 7.1 7.2 8.0 8.1 8.2 9.0 9.1 9.2 9.2+pve1 10.0 10.0+pve1'.split(
    ' ',
  );

const CHANGES: Record<string, string> = {
  '4.1+pve1': 'Introduction of pveX versioning, no changes.',
  '4.1+pve2': 'Increases the number of SCSI drives supported.',
  '9.2+pve1': 'Disables S3/S4 power states by default.',
  '10.0+pve1': 'Set host_mtu vNIC option even with default value for migration compat.',
};

function machine(type: string, version: string): Record<string, string> {
  const changes = CHANGES[version];
  const prefix = type === 'q35' ? 'pc-q35' : 'pc-i440fx';
  return { id: `${prefix}-${version}`, type, version, ...(changes !== undefined && { changes }) };
}

const VENDORS: [RegExp, string][] = [
  [/^(EPYC|Opteron|athlon|phenom)/, 'AuthenticAMD'],
  [/^(host|max|qemu|kvm|x86-64)/, 'default'],
];

function vendorOf(model: string): string {
  return VENDORS.find(([pattern]) => pattern.test(model))?.[1] ?? 'GenuineIntel';
}
