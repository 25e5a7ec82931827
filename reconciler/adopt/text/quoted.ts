import { visibly } from '../../report/hcl-text';

/**
 * A text in TypeScript, in the quotes that it has less of. Nothing in it ends it, is read as an expression, or shows a
 * reader another text than the compiler reads.
 */
export function quoted(value: string): string {
  const text = visibly(JSON.stringify(value));
  const count = (sign: string): number => value.split(sign).length;
  if (count("'") > count('"')) return text;
  return `'${text.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
