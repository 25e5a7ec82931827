/** How many lines a program in TypeScript has for each machine, and for each class of machines that are alike. */
export interface ProgramLines {
  machines: readonly number[];
  classes: readonly number[];
}

/**
 * Counts the lines of files of `adopt`, as prettier writes them. The rows of a loop, and what stands beside it for one
 * machine, belong to machines; the rest of a loop belongs to its class.
 */
export function programLines(files: readonly string[]): ProgramLines {
  const parts = files.flatMap(partsOf);
  return { machines: parts.flatMap(part => machinesIn(part)), classes: parts.flatMap(part => classIn(part)) };
}

/** What stands between empty lines in a function: one loop with its exceptions, or one machine. */
function partsOf(text: string): string[][] {
  const [, body = ''] = /^export function \w+\(.*\n([^]*?)^\}$/m.exec(text) ?? [];
  return body
    .split('\n\n')
    .map(part => part.split('\n').filter(line => line !== ''))
    .filter(part => part.length > 0);
}

/** Where a loop has its own lines: `const own = {`, entries, `};`, `for (const [`, rows, `] as const) {`. */
function loopOf(part: readonly string[]) {
  const head = part.findIndex(line => line.startsWith('  for ('));
  if (head < 0) return undefined;
  const open = part.findIndex((line, index) => index >= head && / of \[$/.test(line));
  const close = part.findIndex(line => line === '  ] as const) {');
  const entries = part.slice(1, Math.max(1, head - 1));
  return { rows: entryLines(part.slice(open + 1, close)), own: entryLines(entries), rest: part.length };
}

/** The lines of each entry: one begins where a line is indented by four. */
function entryLines(lines: readonly string[]): { first: string; count: number }[] {
  const entries: { first: string; count: number }[] = [];
  for (const line of lines) {
    const isNew = /^ {4}[^\s\]}]/.test(line);
    const last = isNew ? { first: '', count: 0 } : entries.at(-1)!;
    if (isNew) entries.push(last);
    // the id of a row that is broken stands in its second line
    if (last.first === '' && /\w/.test(line)) last.first = line;
    last.count += 1;
  }
  return entries;
}

function machinesIn(part: readonly string[]): number[] {
  const loop = loopOf(part);
  if (loop === undefined) return [part.length];
  const keyOf = (text: string): string => /[\w-]+/.exec(text)?.[0] ?? '';
  return loop.rows.map(({ first, count }) => {
    const own = loop.own.find(entry => keyOf(entry.first) === keyOf(first));
    return count + (own?.count ?? 0);
  });
}

function classIn(part: readonly string[]): number[] {
  const loop = loopOf(part);
  if (loop === undefined) return [];
  const ofMachines = [...loop.rows, ...loop.own].reduce((total, { count }) => total + count, 0);
  return [loop.rest - ofMachines];
}

export function median(numbers: readonly number[]): number {
  return [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;
}
