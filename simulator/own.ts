/** What a record itself holds under a key that a caller chose; never what all objects have, such as `constructor`. */
export function own<T>(record: Record<string, T>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
