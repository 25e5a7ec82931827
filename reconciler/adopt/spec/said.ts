import { formatSize, MiB } from '../../../spec';
import type { Configuration } from '../../guest/configuration';
import { valueAt } from '../../machine/compare';
import { placeOf, type FieldTable, type Want } from '../../machine/want';
import { placeRow } from '../../pve/keys/key-row';

export type Json = Record<string, unknown>;

/** The values at a table's places, in the words of the spec; what is not there is absent. */
export function saidBy(table: FieldTable, config: Configuration): Json {
  const said = Object.entries(table).map(([field, place]) => [field, valueOf(placeOf(place), config)]);
  return present(Object.fromEntries(said));
}

/** The same where all places are properties of one key. */
export function saidInside(key: string, table: FieldTable, config: Configuration): Json {
  const said = Object.entries(table).map(([field, property]) => [field, valueOf({ key, property }, config)]);
  return present(Object.fromEntries(said));
}

/** What stands at a place, read by its kind: true and false, numbers, sizes with their unit, else text. */
function valueOf(place: Pick<Want, 'key' | 'property'>, config: Configuration): unknown {
  const have = valueAt(config, place);
  if (have === undefined) return undefined;
  const kind = placeRow(place)?.kind;
  if (kind === 'boolean' && typeof have !== 'boolean') return /^(?:1|on|yes|true)$/i.test(String(have));
  if (kind === 'mebibytes' && Number.isFinite(Number(have))) return formatSize(Number(have) * MiB);
  return kind === 'number' && Number.isFinite(Number(have)) ? Number(have) : have;
}

/** An object without the fields that are undefined. */
export function present(fields: Json): Json {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** The fields that are not among these. */
export function less(json: Json, gone: readonly string[]): Json {
  return Object.fromEntries(Object.entries(json).filter(([field]) => !gone.includes(field)));
}

/** The object as a field, unless nothing is in it. */
export function filled(field: string, fields: Json): Json {
  const said = present(fields);
  return Object.keys(said).length === 0 ? {} : { [field]: said };
}
