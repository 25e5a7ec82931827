import { maySeeAllGuests } from '../../observed';
import type { DesiredState } from '../../../spec';
import type { Surroundings } from '../../input/surroundings';
import type { Going, KeptFile } from '../../images/file-users';
import { findLeftFiles, removeLeftFile } from '../../images/left-files';
import { lookingAgain, onFailure } from '../../pve';
import { isoRemoval } from '../../privileges/action-needs';
import { meets } from '../../privileges/held';
import { oneLine } from '../../report/visible';
import type { Run } from '../../run/run';
import { maySeeTasks } from '../../waits/running-tasks';
import { eachRun } from '../each-state';
import type { SilentNodes } from './silent-nodes';

/** A file that nothing uses, and what became of it. */
export interface LeftFile extends Pick<KeptFile, 'volume' | 'node'> {
  cluster: string;
  /** `may-go`: nobody asked for its removal. */
  fate: 'may-go' | 'removed' | 'stays' | 'failed';
  /** Why it stays. */
  why?: string;
}

interface FileSearch {
  /** The guests that would be destroyed, by cluster: none where files are removed, as all are read anew then. */
  going: ReadonlyMap<string, Going>;
  removes: boolean;
  /** Takes the errors; one stops no other. */
  errors: unknown[];
  /** Of these nodes nothing is asked. */
  silent: SilentNodes;
  /** Those that a person agreed to: no other is removed. Absent: nobody was asked. */
  named?: readonly LeftFile[] | undefined;
}

const REMOVAL_MS = 300_000;

/**
 * Finds the files of ours that nothing uses on the clusters of some desired states, and removes those that may go. What uses
 * one: images/left-files and images/file-users.
 */
export function leftFiles(
  states: readonly DesiredState[],
  around: Surroundings,
  asked: FileSearch,
): Promise<LeftFile[]> {
  const clusters = states.filter(
    ({ cluster }, index) => states.findIndex(state => state.cluster.name === cluster.name) === index,
  );
  return eachRun<LeftFile>(clusters, around, (run, state) => {
    const ofCluster = states.filter(({ cluster }) => cluster.name === state.cluster.name);
    return leftOn(run, ofCluster, asked);
  });
}

async function leftOn(run: Run, states: readonly DesiredState[], asked: FileSearch): Promise<LeftFile[]> {
  run.reading.leaveOut(asked.silent.get(run.clusterSpec.name) ?? []);
  await run.reading.learn(run.cluster.nodes.map(({ name }) => name));
  const going = asked.going.get(run.clusterSpec.name) ?? new Set();
  const files = await findLeftFiles(run.pve, run.cluster, states, going);
  const left: LeftFile[] = [];
  for (const file of files) {
    const { volume, node } = file;
    left.push({ volume, node, cluster: run.clusterSpec.name, ...(await end(run, file, asked)) });
  }
  return left;
}

/** One after the other: all guests are read directly before each delete. */
async function end(run: Run, file: KeptFile, asked: FileSearch): Promise<Pick<LeftFile, 'fate' | 'why'>> {
  const why = whyItStays(run, file);
  if (why !== undefined) return { fate: 'stays', why };
  const isNamed = ({ volume, node, cluster }: LeftFile): boolean =>
    volume === file.volume && node === file.node && cluster === run.clusterSpec.name;
  if (!asked.removes || asked.named?.some(isNamed) === false) return { fate: 'may-go' };
  const { pve, signal } = run;
  const wait = { timeoutMs: REMOVAL_MS, signal };
  try {
    const used = await lookingAgain(async () => {
      await run.needQuorumNow();
      return removeLeftFile(file, run.cluster, { pve, wait });
    });
    return used === undefined ? { fate: 'removed' } : { fate: 'stays', why: used };
  } catch (error) {
    if (signal.aborted || onFailure(error, 'one') === 'end') throw error;
    asked.errors.push(error);
    return { fate: 'failed', why: error instanceof Error ? error.message : String(error) };
  }
}

function whyItStays({ cluster }: Run, { volume, node, isShared }: KeptFile): string | undefined {
  if (!maySeeAllGuests(cluster))
    return 'who uses it cannot be seen without VM.Audit on /vms. Grant it, or ask somebody who has it';
  if (cluster.caller !== undefined && !maySeeTasks(cluster))
    return 'which tasks are at work with it cannot be seen without Sys.Audit on /. Grant it, or ask somebody who has it';
  const removal = isoRemoval('removing it', volume.slice(0, volume.indexOf(':')));
  const [way] = removal.ways;
  if (way !== undefined && !meets(cluster, removal))
    return `only who has ${way.privilege} on ${way.path} can remove it. Grant it, or ask somebody who has it`;
  if (isShared)
    return `somebody of another cluster with the same storage may use it, or be at work with it. If there is none: pvesm free ${volume} on ${node}`;
  return undefined;
}

const WORDS: Record<LeftFile['fate'], string> = {
  'may-go': 'nothing uses it. gc --yes removes it.',
  removed: 'nothing used it, removed.',
  stays: 'left alone:',
  failed: 'could not be removed:',
};

/** What a question says of files that go. */
export function filesText(files: readonly LeftFile[]): string[] {
  if (files.length === 0) return [];
  const [what, are] = files.length === 1 ? ['file', 'is'] : ['files', 'are'];
  const all = files.map(({ volume, node }) => `${volume} on ${node}`).join(', ');
  return [oneLine(`${files.length} ${what} that nothing uses ${are} removed: ${all}.`)];
}

/** What became of a file, in one line. */
export function fileLine({ volume, node, fate, why }: LeftFile): string {
  return oneLine(`${volume} on ${node}: ${WORDS[fate]}${why === undefined ? '' : ` ${why}.`}`);
}
