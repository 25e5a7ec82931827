import type { TaskContext } from './task';

/** Shorter copies say nothing of their way: none of the recordings, all of small disks, keeps such a line. */
const LONG_MS = 2_000;
const STEP_MS = 1_000;
const MOST_STEPS = 100;

/**
 * Takes the time in which data is copied. `tell` is called with how much of it is there, from 0 to 1: at the start, once a second
 * (the rhythm is assumed) and at the end.
 */
export async function copying(
  task: Pick<TaskContext, 'work'>,
  ms: number,
  tell: (share: number) => void,
): Promise<void> {
  if (ms < LONG_MS) return task.work(ms);
  const steps = Math.min(MOST_STEPS, Math.floor(ms / STEP_MS));
  tell(0);
  for (let step = 1; step <= steps; step += 1) {
    await task.work(ms / steps);
    tell(step / steps);
  }
}

/** How far a copy of qemu-img is (transcript of a real 9.2, steps 301 and 504). */
export function transferred(bytes: number, share: number): string {
  const so = Math.floor(bytes * share);
  return `transferred ${rendered(so)} of ${rendered(bytes)} (${(share * 100).toFixed(2)}%)`;
}

/** How far the mirror of a running guest's disk is (assumed). */
export function mirrored(key: string, bytes: number, share: number, ms: number): string {
  return `drive-${key}: ${transferred(bytes, share)} in ${Math.round((ms * share) / 1000)}s`;
}

/** How far the memory of a running guest is on its way to another node (assumed). */
export function memorySent(bytes: number, share: number): string {
  const so = Math.floor(bytes * share);
  return `migration active, transferred ${rendered(so)} of ${rendered(bytes)} VM-state, 512.0 MiB/s`;
}

/** How far a download of wget is (assumed: its dots of a mebibyte each). */
export function downloaded(bytes: number, share: number): string {
  const dots = Array<string>(4).fill('........').join(' ');
  const percent = Math.floor(share * 100);
  return `${String(Math.floor((bytes * share) / 1024)).padStart(6)}K ${dots} ${String(percent).padStart(2)}%  110M 1s`;
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/** A number of bytes as Proxmox renders it: `1.0 GiB`. */
function rendered(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** power).toFixed(1)} ${UNITS[power] ?? ''}`;
}
