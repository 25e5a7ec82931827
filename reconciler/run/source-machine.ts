import { RefusedError } from '../errors';
import { ownerTag } from '../mark/owner-tag';
import { readDescription } from '../mark/mark';
import type { ListedGuest } from '../observed';
import { PveError, readConfig } from '../pve';
import type { Waiting } from '../waits/waiting';
import type { MachineWork } from './at-work';
import type { Run } from './run';
import type { Wanted } from './wanted';

/**
 * Waits until the machine that a new one is cloned from is there as this run, or another one, wants it. False: it was.
 * Throws where this run was to make it, and did not.
 */
export async function waitForSource(
  run: Run,
  { spec, identity }: Wanted,
  waiting: Waiting,
): Promise<boolean> {
  const id = spec.image?.machine;
  if (id === undefined) return false;
  const work = run.atWork.get(id);
  const waited = await ended(work, waiting);
  const isThere = (guests: readonly ListedGuest[]): Promise<boolean> =>
    isFinished(run, guests, ownerTag(identity.owner, id));
  if (!waited && (await isThere(run.cluster.guests))) return false;
  if (work !== undefined) {
    if (await isThere(await run.reading.listNow())) return true;
    throw new RefusedError([notMade(spec.id, id)]);
  }
  const look = async (): Promise<true | undefined> =>
    (await isThere(await run.reading.listNow())) || undefined;
  await waiting.until(() => `machine '${id}', which it is cloned from`, look);
  return true;
}

/** The time that the other machine takes does not count. */
async function ended(work: MachineWork | undefined, waiting: Waiting): Promise<boolean> {
  if (work === undefined || work.isOver) return false;
  const started = Date.now();
  await work.promise;
  waiting.limit.extend(Date.now() - started);
  return true;
}

/** Whether the guest has had its first configuration. Before that nothing of it is certain to stay. */
async function isFinished(run: Run, guests: readonly ListedGuest[], tag: string): Promise<boolean> {
  const found = guests.filter(({ type, tags }) => type === 'qemu' && tags.includes(tag));
  const [guest] = found;
  if (guest === undefined) return false;
  // which of several it is, is not for waiting to decide
  if (found.length > 1) return true;
  if (guest.lock === 'create' || guest.lock === 'clone') return false;
  try {
    const { current } = await readConfig(run.pve, guest);
    const { mark } = readDescription(current['description'] ?? '');
    if (typeof mark !== 'object') return true;
    // before it is a template, only full clones could be made of it
    return mark.b === undefined && (mark.a === undefined || current['template'] === '1');
  } catch (error) {
    if (error instanceof PveError && error.kind === 'not-found') return false;
    throw error;
  }
}

function notMade(machine: string, source: string) {
  return {
    machine,
    why: 'source-not-made',
    detail: `machine '${source}', which it is cloned from, was not made in this run.`,
    remedy: `See what is said of '${source}', then run again.`,
    changed: 'nothing' as const,
  };
}
