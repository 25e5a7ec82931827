import { createHash } from 'node:crypto';
import { formatSize, parseSize, type MachineSpec } from '../../spec';
import type { Mark } from './mark';

/** Whether a spec lets its machine be made anew for anything. */
export function mayBeMadeAnew({ rebuildOn = [], onImageChange }: MachineSpec): boolean {
  return rebuildOn.length > 0 || onImageChange === 'rebuild';
}

type FieldValue = string | number | boolean | undefined;

/**
 * What a spec says of the fields for which it lets its machine be made anew, to be remembered in the mark: only that tells
 * a spec that has changed from a guest that somebody has changed. The image and the slots have words of their own there.
 */
export function lastWanted(spec: MachineSpec): Mark['lastWanted'] {
  const named = Object.entries(FIELDS).filter(([word]) => spec.rebuildOn?.some(one => one === word) === true);
  const said = named.flatMap(([, fieldsOf]) => Object.entries(fieldsOf(spec)));
  if (said.length === 0) return undefined;
  return Object.fromEntries(said.map(([field, value]) => [field, wordFor(field, value)]));
}

/** The fields that each word of rebuildOn is about. */
const FIELDS: Readonly<Record<string, (spec: MachineSpec) => Record<string, FieldValue>>> = {
  vmid: ({ vmid }) => ({ vmid }),
  efiDisk: ({ efiDisk }) => ({
    'efiDisk.type': efiDisk?.type,
    'efiDisk.microsoftCertificates': efiDisk?.microsoftCertificates,
  }),
  secureBoot: ({ secureBoot }) => ({ secureBoot }),
  tpm: ({ tpm }) => ({ 'tpm.version': tpm?.version }),
  disks: ({ disks = [] }) => Object.fromEntries(disks.flatMap(diskFields)),
};

function diskFields({ name, size, existingVolume }: NonNullable<MachineSpec['disks']>[number]) {
  const said: [string, FieldValue][] = [
    [`disks[${name}].size`, size === undefined ? undefined : formatSize(size)],
    [`disks[${name}].existingVolume`, existingVolume],
  ];
  return said.filter(([, value]) => value !== undefined);
}

/** A volume's name may be long, and a mark must be short. `''`: the spec says nothing of the field. */
function wordFor(field: string, value: FieldValue): string {
  const text = String(value ?? '');
  if (!field.endsWith('.existingVolume')) return text;
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

/** Who has changed a field since the mark was written. `unknown`: the mark does not remember what was wanted. */
type ChangedBy = 'spec' | 'somebody' | 'unknown';

/** Who has changed this field, of which the spec wants `to` now. A spec that wants a larger disk made none too large. */
export function changedBy(mark: Mark | undefined, field: string, to: string): ChangedBy {
  if (isRemembered(field)) return 'spec';
  const before = mark?.lastWanted?.[field];
  if (before === undefined) return 'unknown';
  if (before === wordFor(field, to)) return 'somebody';
  if (!field.endsWith('.size')) return 'spec';
  return (parseSize(before) ?? 0) > (parseSize(to) ?? Infinity) ? 'spec' : 'somebody';
}

/** Whether the mark has other words of it: only those differ from the spec, and so nobody but the spec has changed. */
function isRemembered(field: string): boolean {
  return field === 'image' || /^disks\[.*\]\.(?:type|slot)$/.test(field);
}
