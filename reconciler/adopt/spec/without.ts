import { isRecord, type Path } from '../../../spec';
import { less, type Json } from './said';

/** Lists in which an entry's place says which device it is: without one of them the others would move. */
const BY_PLACE = ['serial', 'usb', 'pci', 'virtiofs'];
const WHO = ['id', 'vmid', 'adopt', 'name', 'slot'];

/**
 * A machine without what stands at a path: the field, or the device that cannot be said without it. Undefined: it is
 * nothing that a machine can be without.
 */
export function without(machine: Json, path: Path): Json | undefined {
  const [field, place, inner, ...deeper] = path.map(String);
  if (field === undefined || !Object.hasOwn(machine, field)) return undefined;
  const value = machine[field];
  const isWhole =
    place === undefined || BY_PLACE.includes(field) || value === null || typeof value !== 'object';
  if (isWhole) return WHO.includes(field) && field !== 'name' ? undefined : less(machine, [field]);
  const entry: unknown = Array.isArray(value) ? value[Number(place)] : undefined;
  if (!Array.isArray(value)) return { ...machine, [field]: lessOf(value, [place, inner, ...deeper]) };
  const isPart =
    isRecord(entry) && inner !== undefined && !WHO.includes(inner) && Object.hasOwn(entry, inner);
  const kept = isPart ? [lessOf(entry, [inner, ...deeper])] : [];
  const list: unknown[] = value.flatMap((each: unknown, index) => (index === Number(place) ? kept : [each]));
  return list.length === 0 ? less(machine, [field]) : { ...machine, [field]: list };
}

function lessOf(value: object, [key = '', ...deeper]: (string | undefined)[]): Json {
  const fields: Json = { ...value };
  const inner = fields[key];
  return isRecord(inner) && deeper[0] !== undefined && Object.hasOwn(inner, deeper[0])
    ? { ...fields, [key]: lessOf(inner, deeper) }
    : less(fields, [key]);
}

/** The path of a field as a plan names it: `disks[data].size`, `cpu.cores`. */
export function pathOf(machine: Json, field: string): Path {
  const [, head = '', name, inner] = /^([^.[]+)(?:\[([^\]]+)\])?(?:\.(.+))?$/.exec(field) ?? [];
  const list = machine[head];
  const named = Array.isArray(list) ? list.findIndex(each => isRecord(each) && each['name'] === name) : -1;
  const place = name === undefined ? [] : [named >= 0 ? named : Number(name)];
  return [head, ...place, ...(inner === undefined ? [] : inner.split('.'))];
}
