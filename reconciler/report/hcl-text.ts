/**
 * A text as HCL reads it. Others' texts may hold `${` and `%{`, which begin an expression in HCL: also after a sign of the
 * same kind, where doubling it is read in two ways. HCL has fewer escapes than JSON, and no halves of a character.
 */
export function hclText(value: string): string {
  return JSON.stringify(value.replace(/\p{Cs}/gu, '\ufffd'))
    .replaceAll('\\\\', '\\u005c')
    .replaceAll('\\b', '\\u0008')
    .replaceAll('\\f', '\\u000c')
    .replace(/[$%](?=\{)/g, sign => (sign === '$' ? '\\u0024' : '\\u0025'))
    .replaceAll('\\u005c', '\\\\');
}

/** The key of a map as HCL reads it. */
export function hclKey(name: string): string {
  return /^[A-Za-z_][\w-]*$/.test(name) ? name : hclText(name);
}
