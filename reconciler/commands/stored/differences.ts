import { isDeepStrictEqual } from 'node:util';
import { isRecord, type DesiredState } from '../../../spec';
import { visible } from '../../report/visible';
import { lossesBetween } from './losses-between';

/** What becomes of a machine, or of a cluster as a whole, when one desired state follows another. */
export interface Difference {
  cluster: string;
  owner: string;
  /** Absent: what is said of the cluster and of all its machines. */
  machine?: string;
  kind: 'comes' | 'changes' | 'leaves';
  /** Of what changes: the fields that are not the same. */
  fields?: string[];
  /** Of what changes: what is lost for good, each in words that follow its name. */
  loses?: string[];
}

type State = Pick<DesiredState, 'owner' | 'cluster' | 'machines'>;

/** What differs, in the order of the new state; what leaves is last. */
export function differences(before: readonly State[], after: readonly State[]): Difference[] {
  const told = after.flatMap(state => {
    const old = before.find(other => isOf(other, state));
    return [...wholeOf(old, state), ...machinesOf(old, state)];
  });
  const left = before.filter(state => !after.some(other => isOf(other, state)));
  return [...told, ...left.flatMap(state => machinesOf(state, { ...state, machines: [] }))];
}

function isOf(one: State, other: State): boolean {
  return one.owner === other.owner && one.cluster.name === other.cluster.name;
}

function wholeOf(old: State | undefined, state: State): Difference[] {
  if (old === undefined) return [];
  const fields = differing({ ...old, machines: [] }, { ...state, machines: [] });
  return fields.length === 0 ? [] : [{ ...placeOf(state), kind: 'changes', fields }];
}

function machinesOf(old: State | undefined, state: State): Difference[] {
  const place = placeOf(state);
  const known = new Map((old?.machines ?? []).map(machine => [machine.id, machine]));
  const kept = new Set<string>();
  const told = state.machines.flatMap((machine): Difference[] => {
    const id = [machine.id, ...(machine.formerIds ?? [])].find(name => known.has(name));
    const was = id === undefined ? undefined : known.get(id);
    if (was === undefined) return [{ ...place, machine: machine.id, kind: 'comes' }];
    kept.add(was.id);
    const fields = differing(was, machine);
    if (fields.length === 0) return [];
    const loses = lossesBetween(was, machine);
    return [{ ...place, machine: machine.id, kind: 'changes', fields, ...(loses.length > 0 && { loses }) }];
  });
  const left = [...known.keys()].filter(id => !kept.has(id));
  return [...told, ...left.map((machine): Difference => ({ ...place, machine, kind: 'leaves' }))];
}

function placeOf({ owner, cluster }: State): Pick<Difference, 'cluster' | 'owner'> {
  return { cluster: cluster.name, owner };
}

function differing(one: object, other: object): string[] {
  const [left, right] = [fieldsOf(one), fieldsOf(other)];
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  return names.filter(name => !isDeepStrictEqual(left[name], right[name])).sort();
}

function fieldsOf(value: object): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

const SIGNS = { comes: '+', changes: '~', leaves: '-' };

/** A line for each, and one below for each loss. */
export function differencesText(all: readonly Difference[]): string {
  return all
    .map(({ cluster, owner, machine, kind, fields, loses = [] }) => {
      const what = machine ?? 'the cluster';
      const rest = fields === undefined ? '' : `: ${fields.join(', ')}`;
      const lines = [`${SIGNS[kind]} ${what} (${owner}, cluster ${cluster}) ${kind}${rest}`];
      return [...lines, ...loses.map(loss => `    it ${loss}`)].map(line => visible(`${line}\n`)).join('');
    })
    .join('');
}
