import { parseMachine } from '../../spec';
import type { Json } from './lab';
import type { WantedField } from './machine-fields';
import { WANTED_FIELDS } from './machine-fields';
import { withField } from './with-field';

/** Numbers that look random and are the same in every run. */
export function dice(seed: number): (sides: number) => number {
  let state = seed;
  return sides => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

/** What a guest is born with and cannot change, and what needs hardware, files or rights that a lab has not. */
const LEFT_OUT =
  /^(?:disks\[data\]\.size|secureBoot|efiDisk|tpm|pci|usb|virtiofs|hookScript|cdrom|hugepages|options|serial|audio|cpu\.affinity|cpu\.reportedModel|cloudInit|networks\[lan\]\.bridge|protection|machine\.|disks\[data\]\.(?:limits\.(?:mbpsR|mbpsW|mbpsM|iopsR|iopsW|iopsM)|options))/;
const STORAGES: Record<string, string> = { slow: 'local-lvm', fast: 'shared' };
const FIELDS: readonly WantedField[] = WANTED_FIELDS.filter(({ field }) => !LEFT_OUT.test(field)).map(row =>
  row.field.endsWith('.storage')
    ? { ...row, values: row.values.map(value => STORAGES[String(value)] ?? value) }
    : row,
);

/** A machine of many random fields that the spec accepts, the same for the same dice. */
export function randomSpec(roll: (sides: number) => number, base: Json): Json {
  for (;;) {
    let spec: Json = { ...base, disks: disks(roll, base), networks: networks(roll, base) };
    for (let i = 0; i < 8; i += 1) {
      const row = FIELDS[roll(FIELDS.length)];
      if (row) spec = withField({ ...row.base, ...spec }, row.field, row.values[roll(row.values.length)]);
    }
    if (parseMachine(spec).ok) return spec;
  }
}

function some(roll: (sides: number) => number, devices: Json[]): Json[] {
  return devices.filter(() => roll(2) === 0);
}

function disks(roll: (sides: number) => number, base: Json): Json[] {
  const more = [
    { name: 'logs', size: '2Gi', storage: 'local-lvm', onRemove: 'delete' },
    { name: 'cache', size: '1Gi', storage: 'local-lvm', type: 'virtio' },
    { name: 'old', size: '1Gi', storage: 'shared', type: 'sata' },
    { name: 'fixed', size: '1Gi', storage: 'shared', slot: 'scsi7', onRemove: 'delete' },
  ];
  return [...some(roll, more), ...(base['disks'] as Json[])];
}

function networks(roll: (sides: number) => number, base: Json): Json[] {
  const more = [{ name: 'third', bridge: 'vmbr1', ipv4: 'dhcp' }, { name: 'mgmt' }];
  return [...(base['networks'] as Json[]), ...some(roll, more)];
}
