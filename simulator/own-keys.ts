/** What stands under a name that people choose; never what every object inherits, as `constructor`. */
export function findNamed<T>(record: Record<string, T>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** Puts a value under a name that people choose, also under `__proto__`. */
export function putNamed<T>(record: Record<string, T>, name: string, value: T): void {
  Object.defineProperty(record, name, { value, writable: true, enumerable: true, configurable: true });
}
