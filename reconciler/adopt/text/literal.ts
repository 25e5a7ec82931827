const WIDTH = 100;

/** How a language writes values. */
export interface Style {
  text: (value: string) => string;
  key: (name: string) => string;
  /** Between key and value. */
  is: string;
  /** Whether the entries of a block end with a comma. */
  commas: boolean;
}

/** A value as a literal: on one line where there is room, else one entry a line. */
export function literal(value: unknown, style: Style, indent: string, used = indent.length): string {
  if (typeof value === 'string') return style.text(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const isList = Array.isArray(value);
  const inner = `${indent}  `;
  const entries = isList
    ? value.map((each: unknown) => ({ head: '', each }))
    : Object.entries(value).map(([name, each]: [string, unknown]) => ({
        head: `${style.key(name)}${style.is}`,
        each,
      }));
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (entries.length === 0) return `${open}${close}`;
  const flat = entries.map(({ head, each }) => `${head}${literal(each, style, '', -1_000_000)}`).join(', ');
  const line = isList ? `${open}${flat}${close}` : `${open} ${flat} ${close}`;
  if (used + line.length <= WIDTH && !line.includes('\n')) return line;
  const end = isList || style.commas ? ',' : '';
  const lines = entries.map(
    ({ head, each }) =>
      `${inner}${head}${literal(each, style, inner, inner.length + head.length + 1)}${end}\n`,
  );
  return `${open}\n${lines.join('')}${indent}${close}`;
}
