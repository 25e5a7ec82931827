import { isRecord } from '../../../spec';
import { Column } from '../alike/blocks';
import { quoted } from './quoted';

/** A field of this name stands for all fields of its value. */
export const SPREAD = '...';

const WIDTH = 110;

/** The name of a field. */
export const keyOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name));

/** A value in TypeScript: on one line where there is room, else one entry a line, as prettier writes it. */
export function typescriptValue(value: unknown, indent: string, used = indent.length): string {
  if (typeof value === 'string') return quoted(value);
  if (value instanceof Column) return value.name;
  if (typeof value !== 'object' || value === null) return String(value);
  const isList = Array.isArray(value);
  const inner = `${indent}  `;
  const entries = isList
    ? value.map((each: unknown) => ({ head: '', each }))
    : Object.entries(value).map(([name, each]: [string, unknown]) => ({ head: headOf(name, each), each }));
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (entries.length === 0) return `${open}${close}`;
  const flat = entries.map(({ head, each }) => `${head}${typescriptValue(each, '', -1_000_000)}`).join(', ');
  const line = isList ? `${open}${flat}${close}` : `${open} ${flat} ${close}`;
  const hasRoom = used + line.length <= WIDTH && !line.includes('\n');
  if (hasRoom && !isTall(value)) return line;
  const lines = entries.map(
    ({ head, each }) => `${inner}${head}${typescriptValue(each, inner, inner.length + head.length + 1)},\n`,
  );
  return `${open}\n${lines.join('')}${indent}${close}`;
}

/** A field that has the name of its column is said once. */
function headOf(name: string, value: unknown): string {
  if (name === SPREAD) return SPREAD;
  return value instanceof Column && value.name === name ? '' : `${keyOf(name)}: `;
}

/** Whether it has a line for each entry, as prettier writes it: a list of objects, or one with such a list in it. */
function isTall(value: unknown): boolean {
  if (!Array.isArray(value)) return isRecord(value) && Object.values(value).some(isTall);
  const isRich = (each: unknown): boolean => isRecord(each) && Object.keys(each).length > 1;
  return (value.length > 1 && value.every(isRich)) || value.some(isTall);
}
