import type { MachineOutputs } from '../../spec';
import { oneLine } from './visible';

type Column = [head: string, cell: (outputs: MachineOutputs) => string];

const COLUMNS: Column[] = [
  ['PHASE', ({ phase, mode }) => (mode === 'paused' ? 'paused, not read' : phase)],
  ['NODE', ({ node = '-' }) => node],
  ['VMID', ({ vmid }) => String(vmid ?? '-')],
  ['ADDRESSES', ({ ipAddresses }) => ipAddresses.join(',') || '-'],
  ['RESTART', ({ restartRequired }) => (restartRequired ? 'required' : '-')],
];

const WIDE: Column[] = [
  ['POWER', ({ powerState }) => powerState],
  ['PENDING', ({ pendingChanges }) => pendingChanges.map(({ field }) => field).join(',') || '-'],
  ['UUID', ({ uuid = '-' }) => uuid],
  ['MESSAGE', messageOf],
];

/** How machines stand, one line each. */
export function statusTable(machines: Record<string, MachineOutputs>, isWide: boolean): string {
  const columns = isWide ? [...COLUMNS, ...WIDE] : COLUMNS;
  const rows = Object.entries(machines).map(([id, outputs]) => [
    id,
    ...columns.map(([, cell]) => cell(outputs)),
  ]);
  return table(['MACHINE', ...columns.map(([head]) => head)], rows);
}

/** Why a machine is as it is. */
export function messageOf(outputs: MachineOutputs): string {
  return readyOf(outputs)?.message ?? '-';
}

export function isReady(outputs: MachineOutputs): boolean {
  return readyOf(outputs)?.status === 'True';
}

function readyOf({ conditions }: MachineOutputs): MachineOutputs['conditions'][number] | undefined {
  return conditions.find(({ type }) => type === 'Ready');
}

/** A table for people: columns as wide as their longest cell, two spaces between. */
export function table(head: string[], rows: string[][]): string {
  const all = [head, ...rows.map(cells => cells.map(oneLine))];
  const widths = head.map((_, column) => Math.max(...all.map(row => (row[column] ?? '').length)));
  return all
    .map(row =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
