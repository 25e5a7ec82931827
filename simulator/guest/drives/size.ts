const FACTOR: Record<string, number> = { '': 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3, T: 1024 ** 4 };

/** The bytes of a size such as `8G`, `0.5T` or `4096`; undefined when it is none. */
export function parseSize(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)([KMGT]?)$/.exec(text);
  return match ? Math.trunc(Number(match[1]) * (FACTOR[match[2] ?? ''] ?? 1)) : undefined;
}
