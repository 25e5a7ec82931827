import { isRecord, parseSnapshot, type SnapshotSpec, type snapshotsOf } from '../../spec';
import { InputError } from '../errors';
import type { AskedMachine } from './asked-machine';
import { readJson } from './read-json';
import { valueOf } from './wire-input';

/** The snapshots that a query asks about of one machine. */
export interface AskedSnapshots {
  machine: string;
  formerIds: readonly string[];
  snapshots: SnapshotSpec[];
}

/** The snapshots of a query, machine by machine. What ids a machine had before, its spec says. */
export function readAskedSnapshots(
  asked: ReturnType<typeof snapshotsOf>,
  machines: readonly AskedMachine[],
): AskedSnapshots[] {
  const byMachine = new Map<string, SnapshotSpec[]>();
  for (const { key, spec } of asked) {
    const snapshot = snapshotOf(spec, `snapshot.${key}`);
    if (`${snapshot.machine}.${snapshot.name}` !== key)
      throw new InputError(`snapshot.${key} is of ${snapshot.machine}. Synthesize the stack again.`);
    byMachine.set(snapshot.machine, [...(byMachine.get(snapshot.machine) ?? []), snapshot]);
  }
  return [...byMachine].map(([machine, snapshots]) => ({
    machine,
    snapshots,
    formerIds: formerIdsIn(machines.find(({ id }) => id === machine)?.json),
  }));
}

/** One snapshot as its text says it. */
export function snapshotOf(text: string, what: string): SnapshotSpec {
  return valueOf(parseSnapshot(readJson(text, what)));
}

function formerIdsIn(machine: unknown): string[] {
  const ids = isRecord(machine) ? machine['formerIds'] : undefined;
  return Array.isArray(ids) ? ids.filter(id => typeof id === 'string') : [];
}
