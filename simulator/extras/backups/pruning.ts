import type { Volume } from '../../world';

/** What pruning would do with one backup. */
export interface PruneEntry {
  volid: string;
  ctime: number;
  type: string;
  vmid?: number;
  mark: 'keep' | 'remove' | 'protected' | 'renamed';
}

/** The periods in the order in which they are counted, each with the name of the period that a time is in (UTC). */
const PERIODS: [string, (time: Date, ctime: number) => string][] = [
  ['keep-last', (_, ctime) => String(ctime)],
  ['keep-hourly', time => time.toISOString().slice(0, 13)],
  ['keep-daily', time => time.toISOString().slice(0, 10)],
  ['keep-weekly', isoWeek],
  ['keep-monthly', time => time.toISOString().slice(0, 7)],
  ['keep-yearly', time => time.toISOString().slice(0, 4)],
];

/** Marks each backup by the retention that is wanted, for each guest apart. pve-storage Storage.pm prune_mark_backup_group. */
export function markedForPruning(backups: Volume[], retention: Record<string, string>): PruneEntry[] {
  const counts = PERIODS.map(([key]) => Number(retention[key] ?? 0));
  const keepsAll = retention['keep-all'] === '1' || counts.every(count => count === 0);
  const marks = new Map<string, PruneEntry['mark']>();
  for (const volume of backups) if (volume.protected) marks.set(volume.volid, 'protected');
  const named = backups.flatMap(volume => nameOf(volume) ?? []);
  for (const group of new Set(named.map(({ group: each }) => each))) {
    const members = named.filter(each => each.group === group).sort((one, other) => other.ctime - one.ctime);
    if (!keepsAll) PERIODS.forEach(([, idOf], index) => markPeriod(members, marks, counts[index] ?? 0, idOf));
    for (const { volid } of members) if (!marks.has(volid)) marks.set(volid, keepsAll ? 'keep' : 'remove');
  }
  return backups.map(volume => {
    const { type, ctime } = nameOf(volume) ?? { type: 'unknown', ctime: volume.ctime ?? 0 };
    const owner = volume.vmid === undefined ? {} : { vmid: volume.vmid };
    return { volid: volume.volid, ctime, type, ...owner, mark: marks.get(volume.volid) ?? 'renamed' };
  });
}

/** Keeps the newest of each period, of so many periods as yet have none. */
function markPeriod(
  members: { volid: string; ctime: number }[],
  marks: Map<string, PruneEntry['mark']>,
  count: number,
  idOf: (time: Date, ctime: number) => string,
): void {
  if (count === 0) return;
  const periodOf = ({ ctime }: { ctime: number }): string => idOf(new Date(ctime * 1000), ctime);
  const had = new Set(members.filter(({ volid }) => marks.get(volid) === 'keep').map(periodOf));
  const kept = new Set<string>();
  for (const member of members) {
    const period = periodOf(member);
    if (marks.has(member.volid) || had.has(period)) continue;
    if (!kept.has(period) && kept.size >= count) return;
    marks.set(member.volid, kept.has(period) ? 'remove' : 'keep');
    kept.add(period);
  }
}

const ARCHIVE = /backup\/vzdump-(qemu|lxc)-(\d+)-(\d{4})_(\d\d)_(\d\d)-(\d\d)_(\d\d)_(\d\d)\./;

/** What the name of an archive says; undefined for one that somebody renamed. */
function nameOf({
  volid,
}: Volume): { volid: string; group: string; type: string; ctime: number } | undefined {
  const [, type = '', vmid = '', ...time] = ARCHIVE.exec(volid) ?? [];
  if (type === '') return undefined;
  const [year = 0, month = 1, ...rest] = time.map(Number);
  return { volid, type, group: `${type}/${vmid}`, ctime: Date.UTC(year, month - 1, ...rest) / 1000 };
}

function isoWeek(time: Date): string {
  const thursday = new Date(time);
  thursday.setUTCDate(time.getUTCDate() + 4 - (time.getUTCDay() || 7));
  const year = thursday.getUTCFullYear();
  const days = (thursday.getTime() - Date.UTC(year, 0, 1)) / 86_400_000;
  return `${year}/${Math.floor(days / 7)}`;
}
