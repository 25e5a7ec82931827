type Json = Record<string, unknown>;

const text = (value: unknown): string => JSON.stringify(value);
const isPlain = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Values as TypeScript and as YAML have them: what is valid in both. */
function inBoth(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inBoth).join(', ')}]`;
  return isPlain(value) ? `{ ${fieldsInBoth(value)} }` : text(value);
}

export const fieldsInBoth = (fields: Json): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}: ${inBoth(value)}`)
    .join(', ');

/** Values as HCL has them. */
function inHcl(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inHcl).join(', ')}]`;
  if (isPlain(value)) return `{ ${fieldsInHcl(value)} }`;
  return typeof value === 'string'
    ? text(value).replaceAll('${', '$${').replaceAll('%{', '%%{')
    : text(value);
}

export const fieldsInHcl = (fields: Json): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name} = ${inHcl(value)}`)
    .join(', ');
