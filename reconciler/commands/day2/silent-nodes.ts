import { counted } from '../../errors';
import type { Surroundings } from '../../input/surroundings';
import { listActiveTasks, isOneLess } from '../../pve';
import type { Run } from '../../run/run';

/** How long a node may take for a short answer, where much is to be read of all of them. */
const ANSWER_MS = 5_000;

/** The nodes that were left out, by cluster. */
export type SilentNodes = Map<string, readonly string[]>;

/**
 * Asks each node for a short answer, and leaves those out of the run that are down or silent, with a word for each: all
 * that is read of them would wait for as long as requests may take, one reading after the other. Their names.
 */
export async function leaveOutSilent(
  run: Run,
  { reporter }: Pick<Surroundings, 'reporter'>,
): Promise<string[]> {
  const { nodes, guests } = run.cluster;
  const answers = await Promise.all(
    nodes.map(({ name, online }) => (online ? doesAnswer(run, name) : false)),
  );
  const silent = nodes.filter((_, index) => answers[index] === false);
  for (const { name, online } of silent) {
    const there = guests.filter(({ node }) => node === name).length;
    const why = online ? `does not answer within ${ANSWER_MS / 1_000} s` : 'is down';
    reporter.say(
      'warn',
      `node ${name} ${why}: ${counted(there, 'guest', 'guests')} and the files on it are not looked at. Run again when it is back; it is safe.`,
    );
  }
  const names = silent.map(({ name }) => name);
  run.reading.leaveOut(names);
  return names;
}

async function doesAnswer({ pve, signal }: Run, node: string): Promise<boolean> {
  const limit = AbortSignal.timeout(ANSWER_MS);
  try {
    await listActiveTasks(pve.until(AbortSignal.any([signal, limit])), node);
    return true;
  } catch (error) {
    signal.throwIfAborted();
    if (limit.aborted) return false;
    if (!isOneLess(error)) throw error;
    // a refusal is an answer too
    return error.kind !== 'unreachable';
  }
}
