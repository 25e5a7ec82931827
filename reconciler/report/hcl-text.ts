/**
 * A text as HCL reads it. Others' texts may hold `${` and `%{`, which begin an expression in HCL: also after a sign of the
 * same kind, where doubling it is read in two ways. HCL has fewer escapes than JSON, and no halves of a character.
 */
export function hclText(value: string): string {
  const json = JSON.stringify(value.replace(/\p{Cs}/gu, '\ufffd'))
    .replaceAll('\\\\', '\\u005c')
    .replaceAll('\\b', '\\u0008')
    .replaceAll('\\f', '\\u000c')
    .replace(/[$%](?=\{)/g, sign => (sign === '$' ? '\\u0024' : '\\u0025'))
    .replaceAll('\\u005c', '\\\\');
  return visibly(json);
}

/** The key of a map as HCL reads it. */
export function hclKey(name: string): string {
  return /^[A-Za-z_][\w-]*$/.test(name) ? name : hclText(name);
}

/** Text in quotes, in which signs that turn or hide what is beside them are written as numbers. */
export function visibly(quoted: string): string {
  return quoted.replace(
    /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
