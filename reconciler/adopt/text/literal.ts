import { isRecord } from '../../../spec';
import { Column } from '../alike/blocks';

/** How a language writes values. */
export interface Style {
  /** The most characters of a line. */
  width: number;
  text: (value: string) => string;
  key: (name: string) => string;
  /** Between key and value. */
  is: string;
  /** Whether the entries of a block end with a comma. */
  commas: boolean;
  /** How the value of a column is named. */
  column: (name: string) => string;
  /** Whether a field that has the name of its column is said once, and lists of objects have a line for each. */
  isBrief: boolean;
}

/** A field of this name stands for all fields of its value. */
export const SPREAD = '...';

/** A value as a literal: on one line where there is room, else one entry a line. */
export function literal(value: unknown, style: Style, indent: string, used = indent.length): string {
  if (typeof value === 'string') return style.text(value);
  if (value instanceof Column) return style.column(value.name);
  if (typeof value !== 'object' || value === null) return String(value);
  const isList = Array.isArray(value);
  const inner = `${indent}  `;
  const entries = isList
    ? value.map((each: unknown) => ({ head: '', each }))
    : Object.entries(value).map(([name, each]: [string, unknown]) => ({
        head: headOf(name, each, style),
        each,
      }));
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (entries.length === 0) return `${open}${close}`;
  const flat = entries.map(({ head, each }) => `${head}${literal(each, style, '', -1_000_000)}`).join(', ');
  const line = isList ? `${open}${flat}${close}` : `${open} ${flat} ${close}`;
  const hasRoom = used + line.length <= style.width && !line.includes('\n');
  if (hasRoom && !(style.isBrief && isTall(value))) return line;
  const end = isList || style.commas ? ',' : '';
  const lines = entries.map(
    ({ head, each }) =>
      `${inner}${head}${literal(each, style, inner, inner.length + head.length + 1)}${end}\n`,
  );
  return `${open}\n${lines.join('')}${indent}${close}`;
}

function headOf(name: string, value: unknown, style: Style): string {
  if (name === SPREAD) return SPREAD;
  const isBrief = style.isBrief && value instanceof Column && value.name === name;
  return isBrief ? '' : `${style.key(name)}${style.is}`;
}

/** Whether it has a line for each entry, as prettier writes it: a list of objects, or one with such a list in it. */
function isTall(value: unknown): boolean {
  if (!Array.isArray(value)) return isRecord(value) && Object.values(value).some(isTall);
  const isRich = (each: unknown): boolean => isRecord(each) && Object.keys(each).length > 1;
  return (value.length > 1 && value.every(isRich)) || value.some(isTall);
}
