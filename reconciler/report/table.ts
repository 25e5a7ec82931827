import { oneLine } from './visible';

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
