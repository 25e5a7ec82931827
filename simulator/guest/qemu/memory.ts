const MiB = 1024 ** 2;
const DEFAULT_MIB = 512;

/** The memory of a configuration in bytes. The value is a number of MiB, or `current=` and that number. */
export function memoryBytes(value: string | undefined): number {
  const mib = Number(/^(?:current=)?(\d+)/.exec(value ?? '')?.[1] ?? DEFAULT_MIB);
  return mib * MiB;
}
