/** A value as YAML. Texts stand in JSON's quotes, which YAML reads as they are. */
export function yaml(value: unknown, indent = ''): string {
  if (Array.isArray(value)) {
    return value.map(item => `${indent}- ${nested(item, `${indent}  `).trimStart()}`).join('\n');
  }
  if (!isObject(value)) return JSON.stringify(value);
  return Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .map(([key, inner]) => `${indent}${keyText(key)}:${under(inner, indent)}`)
    .join('\n');
}

function under(value: unknown, indent: string): string {
  return isEmpty(value) || !isObject(value) ? ` ${nested(value, '')}` : `\n${yaml(value, `${indent}  `)}`;
}

function nested(value: unknown, indent: string): string {
  return isEmpty(value) ? JSON.stringify(value) : yaml(value, indent);
}

function keyText(key: string): string {
  return /^[A-Za-z_][A-Za-z0-9_-]*$/.test(key) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(key)
    ? key
    : JSON.stringify(key);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isEmpty(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}
