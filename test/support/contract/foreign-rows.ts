import type { Item } from './inventory';
import { permissionName } from './inventory';
import type { RecordingNames } from './recording-names';
import type { Row } from './session';

/** What a row is, by the first of these fields that it has. */
const FIELDS: [field: string, kind: string][] = [
  ['vmid', 'guest'],
  ['sid', 'HA resource'],
  ['rule', 'HA rule'],
  ['volid', 'volume'],
  ['poolid', 'pool'],
  ['pool', 'pool'],
  ['userid', 'user'],
  ['groupid', 'group'],
  ['roleid', 'role'],
  ['storage', 'storage'],
];

/** Tells which rows of a cluster's lists have nothing to do with the recording: they were there before it. */
export function foreignRows(before: Item[], names: RecordingNames, started: number): (row: Row) => boolean {
  const foreign = new Set(
    before.filter(item => !names.isOfWorld(item)).map(({ kind, name }) => `${kind} ${name}`),
  );
  return row => {
    if (typeof row['upid'] === 'string') {
      const [, , , , began = '', , id = ''] = row['upid'].split(':');
      return parseInt(began, 16) < started || foreign.has(`guest ${id}`);
    }
    if (row['ugid'] !== undefined) return foreign.has(`permission ${permissionName(row)}`);
    const [field, kind] = FIELDS.find(([each]) => row[each] !== undefined) ?? [];
    return field !== undefined && foreign.has(`${kind} ${String(row[field])}`);
  };
}

const PATHS: Record<string, string> = { vms: 'vmid', pool: 'poolid', storage: 'storage' };

/** What an access path such as `/vms/100` names: rights are told by path. */
function rowOfPath(path: string): Row {
  const [, kind = '', name] = /^\/(vms|pool|storage)\/(.+)$/.exec(path) ?? [];
  return { [PATHS[kind] ?? '']: name };
}

/** A document without those rows, in whatever list they stand. */
export function without(isForeign: (row: Row) => boolean, value: unknown): unknown {
  if (Array.isArray(value)) {
    return value
      .filter(element => typeof element !== 'object' || element === null || !isForeign(element as Row))
      .map(element => without(isForeign, element));
  }
  if (typeof value !== 'object' || value === null) return value;
  const own = Object.entries(value).filter(([key]) => !isForeign(rowOfPath(key)));
  return Object.fromEntries(own.map(([key, inner]) => [key, without(isForeign, inner)]));
}
