import { formatSize, type Losses, type LostSnapshot, type LostVolume } from '../../spec';
import { isDear, losesNothing } from '../guest/losses';

/** What a destroy takes, in words that follow it: "with its disks (…) and its snapshots (…)". */
export function withLosses(losses: Losses | undefined): string {
  const { volumes = [], snapshots = [], entries = [] } = losses ?? {};
  const disks = volumes.filter(isDear).map(volumeText);
  const named = disks.length === 0 ? '' : ` (${disks.join(', ')})`;
  const kept = snapshots.length === 0 ? '' : ` and its snapshots (${snapshots.map(snapshotText).join(', ')})`;
  const elsewhere = entries.length === 0 ? '' : ` and its entries elsewhere (${entries.join(', ')})`;
  return `with its disks${named}${kept}${elsewhere}`;
}

/** The same with a space before it; empty where nothing goes, or nobody knows. */
export function lostWith(losses: Losses | undefined): string {
  return losses === undefined || losesNothing(losses) ? '' : ` ${withLosses(losses)}`;
}

/** Volumes, snapshots, entries and data one after the other. */
export function lossesList({ volumes, snapshots, entries = [], data = [] }: Losses): string {
  return [
    ...volumes.filter(isDear).map(lost => `volume ${volumeText(lost)}`),
    ...snapshots.map(lost => `snapshot ${snapshotText(lost)}`),
    ...entries,
    ...data,
  ].join(', ');
}

/** The name of the disk or its slot, its size, and the volume. */
function volumeText({ slot, volume, disk, bytes, kept }: LostVolume): string {
  const size = bytes === undefined ? [] : [formatSize(bytes)];
  const of = kept ? 'that was kept' : [];
  return [disk ?? slot, ...size, volume, of]
    .flat()
    .filter(text => text !== '')
    .join(' ');
}

function snapshotText({ name, memory }: LostSnapshot): string {
  return memory ? `${name} with its memory` : name;
}
