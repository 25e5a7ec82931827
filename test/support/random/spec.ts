import { parseMachine } from '../../../spec';
import { some, type Roll } from './dice';
import type { Json } from '../cluster/lab';
import type { WantedField } from '../spec/machine-fields';
import { WANTED_FIELDS } from '../spec/machine-fields';
import { withWanted } from '../spec/with-field';

/** What a guest is created with: both specs of a pair say the same. */
const ONLY_AT_CREATE =
  /^(?:secureBoot|efiDisk\.(?:type|format|microsoftCertificates)|tpm\.(?:version|format))$/;
/** No script of the lab's snippets may be executed: the API cannot make one that may. */
const NOT_IN_A_LAB = /^hookScript$/;
const STORAGES: Record<string, string> = { slow: 'local-lvm', fast: 'shared' };
const LAB_VALUES: Record<string, readonly unknown[]> = {
  // PVE pins the chipset of a Windows guest, and leaves it when the type goes
  osType: ['other', 'linux'],
  cdrom: ['shared:iso/debian-12.9.0-amd64-netinst.iso', 'none', 'cdrom'],
  'networks[lan].bridge': ['vmbr1', 'vmbr2', 'dmz'],
};

/** Every field of the model, with values that a lab has. */
export const LAB_FIELDS: readonly WantedField[] = WANTED_FIELDS.filter(
  ({ field }) => !NOT_IN_A_LAB.test(field),
).map(row => ({
  ...row,
  values:
    LAB_VALUES[row.field] ??
    (row.field.endsWith('.storage') ? row.values.map(value => STORAGES[String(value)] ?? value) : row.values),
}));

/** Those that the second spec of a pair may change on any guest, running or not. */
export const PAIR_FIELDS = LAB_FIELDS.filter(({ field }) => !ONLY_AT_CREATE.test(field));

/** A machine of many random fields that the spec accepts, this field among them; the same for the same dice. */
export function randomSpec(roll: Roll, base: Json, row: WantedField, values: readonly unknown[]): Json {
  const fields = PAIR_FIELDS.filter(({ field }) => !mayNot(field, base));
  for (let tries = 0; tries < 500; tries += 1) {
    let spec: Json = { ...base, disks: disks(roll, base), networks: networks(roll, base) };
    for (let i = 0; i < 7; i += 1) {
      const other = fields[roll(fields.length)];
      if (other) spec = withWanted(spec, other, other.values[roll(other.values.length)]);
    }
    if (!mayNot(row.field, base)) spec = withWanted(spec, row, values[roll(values.length)]);
    if (parseMachine(spec).ok) return spec;
  }
  throw new Error(`no spec with ${row.field} is accepted`);
}

/** The size only grows, and a TPM's state moves only while the guest is off: the pairs themselves decide these. */
function mayNot(field: string, { power }: Json): boolean {
  return field === 'disks[data].size' || (field === 'tpm.storage' && power !== 'stopped');
}

function disks(roll: Roll, base: Json): Json[] {
  const more = [
    { name: 'logs', size: '2Gi', storage: 'local-lvm', onRemove: 'delete' },
    { name: 'cache', size: '1Gi', storage: 'local-lvm', type: 'virtio' },
    { name: 'old', size: '1Gi', storage: 'shared', type: 'sata' },
    { name: 'fixed', size: '1Gi', storage: 'shared', slot: 'scsi7', onRemove: 'delete' },
  ];
  return [...some(roll, more), ...(base['disks'] as Json[])];
}

function networks(roll: Roll, base: Json): Json[] {
  const more = [{ name: 'third', bridge: 'vmbr1', ipv4: 'dhcp' }, { name: 'mgmt' }];
  return [...(base['networks'] as Json[]), ...some(roll, more)];
}
