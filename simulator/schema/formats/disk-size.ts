const UNITS: Record<string, number> = { K: 1024, M: 1024 ** 2, G: 1024 ** 3, T: 1024 ** 4 };

/** Bytes of a size such as 32G or 0.5T; undefined when it is none. */
export function parseDiskSize(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)([KMGT])?(?:iB)?\n?$/.exec(text);
  if (!match) return undefined;
  return Math.trunc(Number(match[1]) * (UNITS[match[2] ?? ''] ?? 1));
}

/** A size as Proxmox prints it: the largest unit that leaves a whole number, also of nothing. PVE: JSONSchema format_size */
export function formatDiskSize(bytes: number): string {
  const unit = ['T', 'G', 'M', 'K'].find(letter => bytes % (UNITS[letter] ?? 1) === 0);
  return unit === undefined ? String(bytes) : `${bytes / (UNITS[unit] ?? 1)}${unit}`;
}
