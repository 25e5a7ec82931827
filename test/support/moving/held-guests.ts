import type { World } from '../../../simulator';
import { administratorOf } from '../cluster/administrator';
import { lab, labWorld, type Lab } from '../cluster/lab';

const FORM = { cores: '2', memory: '1024', scsi0: 'local-lvm:1' };
const card = (last: string): string => `virtio=BC:24:11:00:00:${last},bridge=vmbr0`;

/** Four guests that another tool holds: one runs, one is in a pool, one has no uuid, and two have one name. */
const HELD: readonly { node: string; form: Record<string, string> }[] = [
  { node: 'pve1', form: { vmid: '300', name: 'web', net0: card('01'), description: 'made by hand' } },
  { node: 'pve2', form: { vmid: '301', name: 'web', net0: card('02'), tags: 'old;shop' } },
  { node: 'pve2', form: { vmid: '302', name: 'db', net0: card('03'), pool: 'lab' } },
  { node: 'pve3', form: { vmid: '303', name: 'cache', net0: card('04'), onboot: '1' } },
];

/** A world with the guests. */
export async function heldWorld(): Promise<World> {
  const cluster = await lab({ world: labWorld(), taskMs: 0 });
  const admin = administratorOf(cluster);
  for (const { node, form } of HELD)
    if (!(await admin('POST', `/nodes/${node}/qemu`, { ...FORM, ...form }))) throw new Error(form['vmid']);
  await admin('POST', '/nodes/pve1/qemu/300/status/start');
  await admin('PUT', '/nodes/pve2/qemu/302/config', { delete: 'smbios1' });
  const world = structuredClone(cluster.world);
  await cluster.close();
  return world;
}

/** The state that holds them: two of one resource, of the same name in Proxmox. */
export function heldState(): string {
  const at = (index_key: number | undefined, vmid: number) => {
    const { node, form } = HELD.find(each => each.form['vmid'] === String(vmid))!;
    const macs = [/=(.{17})/.exec(form['net0'] ?? '')?.[1]];
    // an image of the state stands in the mark, too
    const clone = vmid === 303 ? [{ vm_id: 9000, node_name: 'pve1', full: true }] : [];
    const attributes = { vm_id: vmid, node_name: node, name: form['name'], mac_addresses: macs, clone };
    return { ...(index_key === undefined ? {} : { index_key }), attributes };
  };
  const vm = (name: string, instances: object[]) => ({
    ...{ mode: 'managed', type: 'proxmox_virtual_environment_vm', name, instances },
  });
  const resources = [
    vm('this', [at(0, 300), at(1, 301)]),
    vm('db', [at(undefined, 302)]),
    vm('cache', [at(undefined, 303)]),
  ];
  return JSON.stringify({ version: 4, resources });
}

/** The machines that carry a mark, by vmid. */
export function marksOf({ world }: Pick<Lab, 'world'>): Record<number, string> {
  const marks = Object.values(world.guests).flatMap(({ vmid, config }) => {
    const [, text] = /<!-- pvr:(.*) -->/.exec(config['description'] ?? '') ?? [];
    if (text === undefined) return [];
    const { o, m } = JSON.parse(text) as Record<string, string>;
    return [[vmid, `${o} ${m}`] as const];
  });
  return Object.fromEntries(marks);
}
