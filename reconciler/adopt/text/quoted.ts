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

/** JSON, in which signs that turn or hide what is beside them are written as numbers. */
export function visibly(json: string): string {
  return json.replace(
    /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
