import { hclKey, hclText } from './hcl-text';

/** What HCL evaluates: it is written as it is. */
export class Expression {
  constructor(readonly code: string) {}
}

/** Where a value is written. */
interface TextPosition {
  indent: string;
  /** The characters of its line that stand before it; else the indent alone. */
  used?: number;
  /** The most characters of a line. */
  width?: number;
}

const WIDTH = 100;

/** A value as HCL: on one line where there is room, else one entry a line, as `terraform fmt` writes it. */
export function hclValue(value: unknown, place: TextPosition = { indent: '' }): string {
  const { indent, used = indent.length, width = WIDTH } = place;
  const line = onOneLine(value);
  const isShort = scalarOf(value) !== undefined || used + line.length <= width;
  return isShort ? line : onLines(value, indent, width);
}

/** An object or a list with each entry on a line of its own. */
export function onLines(value: unknown, indent: string, width = WIDTH): string {
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    const lines = value.map(each => `${inner}${hclValue(each, { indent: inner, width })},\n`);
    return `[\n${lines.join('')}${indent}]`;
  }
  const entries = entriesOf(value);
  return entries.length === 0 ? '{}' : `{\n${attributes(entries, inner, width)}${indent}}`;
}

/** Lines `key = value`. The signs of lines that follow each other stand below each other. */
export function attributes(
  entries: readonly (readonly [string, unknown])[],
  indent: string,
  width = WIDTH,
): string {
  const said = entries.map(([key, value]) => ({
    key,
    text: hclValue(value, { indent, used: indent.length + key.length + 3, width }),
  }));
  const isShort = (text: string | undefined): boolean => text?.includes('\n') === false;
  const widthAt = (at: number): number => {
    let [first, last] = [at, at];
    while (isShort(said[first - 1]?.text)) first -= 1;
    while (isShort(said[last + 1]?.text)) last += 1;
    return Math.max(...said.slice(first, last + 1).map(({ key }) => key.length));
  };
  return said
    .map(({ key, text }, at) => `${indent}${isShort(text) ? key.padEnd(widthAt(at)) : key} = ${text}\n`)
    .join('');
}

function scalarOf(value: unknown): string | undefined {
  if (value instanceof Expression) return value.code;
  if (typeof value === 'string') return hclText(value);
  return typeof value !== 'object' || value === null ? String(value) : undefined;
}

function onOneLine(value: unknown): string {
  const scalar = scalarOf(value);
  if (scalar !== undefined) return scalar;
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  const entries = entriesOf(value).map(([key, each]) => `${key} = ${onOneLine(each)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

/** The entries of an object, their keys as HCL reads them. */
function entriesOf(value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).map(([key, each]: [string, unknown]) => [hclKey(key), each]);
}
