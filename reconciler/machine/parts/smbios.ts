import { propertiesOf } from '../../guest/configuration';
import type { Part, Scene } from '../scene';
import { wantsAsIs, type Want } from '../want';

/** The texts, by the names that the spec and Proxmox share. */
export const SMBIOS = ['manufacturer', 'product', 'version', 'serial', 'sku', 'family'];

/** What the guest reads about its hardware. The uuid is part of who it is: where it is another, ours is written. */
export const smbios: Part = scene => [...uuid(scene), ...texts(scene)];

function uuid({ origin, uuid: value, next }: Scene): Want[] {
  const isThere = origin === 'kept' && hasUuid(next.smbios1, value);
  return isThere ? [] : [{ field: 'identity', key: 'smbios1', property: 'uuid', value }];
}

/** Whether the text of `smbios1` has this uuid, in whatever spelling. */
export function hasUuid(text: string | undefined, uuid: string): boolean {
  return String(propertiesOf('smbios1', text).uuid).toLowerCase() === uuid.toLowerCase();
}

/** Texts in the form in which the guest has them: PVE holds all of them as they are, or all in base64. */
function texts({ spec: { smbios: said = {} }, next }: Scene): Want[] {
  const { uuid: _, base64, ...there } = propertiesOf('smbios1', next.smbios1);
  const wants = wantsAsIs('smbios', 'smbios1', said);
  const asIs = wants.every(({ value }) => /^[A-Za-z0-9+/]+={0,2}$/.test(String(value)));
  const isPlain = base64 !== true && Object.keys(there).length > 0;
  if (wants.length === 0 || (isPlain && asIs)) return wants;
  const others = wantsAsIs('smbios', 'smbios1', base64 === true ? {} : there);
  return [
    ...others.map(want => ({ ...want, field: 'smbios' })),
    ...wants,
    { field: wants[0]?.field ?? 'smbios', key: 'smbios1', property: 'base64', value: true },
  ].map(want => (typeof want.value === 'string' ? { ...want, value: encoded(want.value) } : want));
}

function encoded(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
