import { parseUpid } from './upid';

/** The tasks whose logs tell how much of them is done. Nobody reads the log of another one for that. */
const TELLING = new Set(['qmclone', 'qmmove', 'qmigrate', 'qmcreate', 'download']);

export function tellsPercent(upid: string): boolean {
  return TELLING.has(parseUpid(upid).type);
}

const BYTES: Readonly<Record<string, number>> = {
  B: 1,
  ...{ KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40, PiB: 2 ** 50 },
};
const SIZE = String.raw`(\d+(?:\.\d+)?) (B|[KMGTP]iB)`;

/** The lines that tell it, by what writes them. */
const LINES: readonly [pattern: RegExp, percent: (match: RegExpExecArray) => number][] = [
  // qemu-server qemu_img_convert (real 9.2), and the same of a drive mirror (assumed)
  [/transferred .* of .* \((\d+(?:\.\d+)?)%\)/, ([, percent]) => Number(percent)],
  // qemu-server QemuMigrate.pm: the memory of a running guest (assumed)
  [
    new RegExp(`migration active, transferred ${SIZE} of ${SIZE} VM-state`),
    ([, so, unit, all, ofUnit]) =>
      (100 * Number(so) * (BYTES[unit ?? ''] ?? 1)) / (Number(all) * (BYTES[ofUnit ?? ''] ?? 1)),
  ],
  // wget --progress=dot (assumed)
  [/^ *\d+K [ .,]+(\d+)%/, ([, percent]) => Number(percent)],
];

/** How much of the present copy is done, by the last line that tells it; undefined when none does. */
export function percentOf(lines: readonly string[]): number | undefined {
  for (const line of [...lines].reverse())
    for (const [pattern, percent] of LINES) {
      const match = pattern.exec(line);
      const value = match && Math.floor(percent(match));
      if (value !== null && value >= 0 && value <= 100) return value;
    }
  return undefined;
}
