import { sourceIds } from '../../spec';
import { untouched } from '../action';
import { RefusedError } from '../errors';
import { ownerTag } from '../mark/owner-tag';
import { readDescription } from '../mark/description';
import type { ListedGuest } from '../observed';
import { PveError, readConfig, type PveErrorKind } from '../pve';
import type { Waiting } from '../waits/waiting';
import type { MachineWork } from '../run/machine-work';
import type { Run } from '../run/run';
import type { Wanted } from '../run/wanted';

/**
 * Waits until the machine that a new one is cloned from, or one of its replicas, is there as this run, or another one,
 * wants it. False: it was. Throws where this run was to make it, and did not.
 */
export async function waitForSource(
  run: Run,
  { spec, identity }: Wanted,
  waiting: Waiting,
): Promise<boolean> {
  const ids = sourceIds(spec.image);
  if (ids.length === 0) return false;
  const works = ids.flatMap(id => run.atWork.get(id) ?? []);
  const waited = await ended(works, waiting);
  const isThere = async (guests: readonly ListedGuest[]): Promise<boolean> => {
    const tags = ids.map(id => ownerTag(identity.owner, id));
    const absent = ids.length === 1 ? ABSENT : ABSENT_REPLICA;
    const states = await Promise.all(tags.map(tag => stateOf(run, guests, tag, absent)));
    ids.filter((_, index) => states[index] === 'absent').forEach(id => forgetEnded(run, id));
    return states.includes('finished') && !states.includes('begun');
  };
  if (!waited && (await isThere(run.cluster.guests))) return false;
  if (works.length > 0) {
    if (await isThere(await run.reading.listNow())) return true;
    const source = ids.join(', ');
    const detail = `machine '${source}', which it is cloned from, was not made in this run, or was removed since.`;
    const remedy = `See what is said of '${source}', then run again.`;
    throw new RefusedError([{ machine: spec.id, ...untouched('source-not-made', detail, remedy) }]);
  }
  const look = async (): Promise<true | undefined> =>
    (await isThere(await run.reading.listNow())) || undefined;
  await waiting.until(() => `machine '${ids.join("' or '")}', which it is cloned from`, look);
  return true;
}

/** What this run was to make and did not is no source any more: the other replicas are. */
function forgetEnded(run: Run, id: string): void {
  if (run.atWork.get(id)?.isOver === true) run.places.forget(id);
}

/** The time that the other machines take does not count. */
async function ended(works: readonly MachineWork[], waiting: Waiting): Promise<boolean> {
  if (works.every(({ isOver }) => isOver)) return false;
  const started = performance.now();
  await Promise.all(works.map(({ promise }) => promise));
  waiting.limit.extend(performance.now() - started);
  return true;
}

const ABSENT: readonly PveErrorKind[] = ['not-found'];
/** Where one of several cannot be reached, the others may do. */
const ABSENT_REPLICA: readonly PveErrorKind[] = [...ABSENT, 'unreachable'];

type State = 'absent' | 'begun' | 'finished';

/** Whether the guest has had its first configuration. Before that nothing of it is certain to stay. */
async function stateOf(
  run: Run,
  guests: readonly ListedGuest[],
  tag: string,
  absent: readonly PveErrorKind[],
): Promise<State> {
  const found = guests.filter(({ type, tags }) => type === 'qemu' && tags.includes(tag));
  const [guest] = found;
  if (guest === undefined) return 'absent';
  // which of several it is, is not for waiting to decide
  if (found.length > 1) return 'finished';
  if (guest.lock === 'create' || guest.lock === 'clone') return 'begun';
  try {
    const { current } = await readConfig(run.pve, guest);
    const { mark } = readDescription(current['description'] ?? '');
    if (mark === undefined) return 'finished';
    // before it is a template, only full clones could be made of it
    const isWhole =
      mark.isUnfinished === undefined && (mark.becomesTemplate === undefined || current['template'] === '1');
    return isWhole ? 'finished' : 'begun';
  } catch (error) {
    if (error instanceof PveError && absent.includes(error.kind)) return 'absent';
    throw error;
  }
}
