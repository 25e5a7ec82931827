import type { MachineOutputs } from '../../spec';
import { table } from './status-table';

/** A snapshot, as it is told to people and programs. */
export type ToldSnapshot = MachineOutputs['snapshots'][number] & {
  /** When it was taken. */
  taken: string;
};

/** The snapshots of a machine, one line each, oldest first. */
export function snapshotTable(snapshots: readonly ToldSnapshot[]): string {
  const rows = snapshots.map(({ name, parent = '-', includesMemory, taken, description = '-' }) => [
    ...[name, parent, includesMemory === true ? 'yes' : 'no', taken, description],
  ]);
  return table(['SNAPSHOT', 'PARENT', 'MEMORY', 'TAKEN', 'DESCRIPTION'], rows);
}
