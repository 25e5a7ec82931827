/** What an object of JSON holds under a key; undefined where it is no object. */
export function valueOf(json: unknown, key: string): unknown {
  return typeof json === 'object' && json !== null ? Reflect.get(json, key) : undefined;
}
