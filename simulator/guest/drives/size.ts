const UNITS = ['K', 'M', 'G'] as const;
const FACTOR: Record<string, number> = { '': 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3, T: 1024 ** 4 };

/** Bytes as Proxmox prints a disk size: the largest of K, M, G that divides it, or plain bytes. */
export function formatSize(bytes: number): string {
  let value = bytes;
  let unit = '';
  for (const next of UNITS) {
    if (value % 1024 !== 0) break;
    value /= 1024;
    unit = next;
  }
  return `${value}${unit}`;
}

/** The bytes of a size such as `8G`, `0.5T` or `4096`; undefined when it is none. */
export function parseSize(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)([KMGT]?)$/.exec(text);
  return match ? Math.trunc(Number(match[1]) * (FACTOR[match[2] ?? ''] ?? 1)) : undefined;
}
