import { counted, InputError, messageOf, RefusedError } from '../../errors';
import { sourcedStates } from '../../input/sourced-states';
import type { Options, Surroundings } from '../../input/surroundings';
import { doubleRemedy, doubleText } from '../../report/two-guests';
import { exitCodeOfAll } from '../../report/exit-code';
import type { Double } from '../../run/reads/doubles';
import { Orphans, unreadableText, type Orphan, type UnreadGuest } from '../../run/reads/orphans';
import { cloneLeftovers, type CloneLeftover } from '../../run/reads/clone-leftovers';
import type { SourcedState } from '../../run/wanted';
import { agreed } from '../asking/agreed';
import { eachRun, eachState, statesOn, statesThere } from '../each-state';
import { withRun } from '../with-run';
import { fileLine, filesText, leftFiles, type LeftFile } from './gc-files';
import { findOrphans, goingText, orphanLine, placeOf, removeOrphan, type FoundOrphan } from './gc-orphans';
import { leftoverText } from './leftover-text';
import { leaveOutSilent, type SilentNodes } from './silent-nodes';

/**
 * Names the guests of the owners of the given desired states that those ask for no more, and files of ours that nothing
 * uses. With `--yes` it removes them, once somebody agrees to how many (a person to the files too): but for what a Terraform entry or another source
 * holds, and templates with linked clones that stay.
 */
export async function gc(given: Surroundings, options: Options): Promise<number> {
  const count = countOf(options);
  const desired = await sourcedStates(options, given);
  const { states, around } = desired;
  const search = await searchAll(desired, options);
  const { found, silent } = search;
  const going = found.filter(({ orphan }) => orphan.fate === 'may-go');
  const errors: unknown[] = [];
  const removes = options.yes === true;
  let named: LeftFile[] | undefined;
  if (removes) {
    const refused = found.flatMap(({ orphan: { fate, refusals } }) => (fate === 'refused' && refusals) || []);
    if (refused.length > 0) errors.push(new RefusedError(refused));
    // a program that gives the number is asked nothing: its files go unnamed, as nothing uses them
    if (count === undefined && around.ask !== undefined)
      named = (
        await leftFiles(states, around, { going: byCluster(going), removes: false, errors, silent })
      ).filter(({ fate }) => fate === 'may-go');
    await agreeTo(going, { count, errors, files: named ?? [] }, around);
    errors.push(...(await remove(going, states, around, { silent, withKept: options.withKeptVolumes })));
  }
  // after all guests: what those were made of is left by now
  const left = byCluster(removes ? [] : going);
  const files = await leftFiles(states, around, { going: left, removes, errors, silent, named });
  around.signal.throwIfAborted();
  around.out(`${options.json ? jsonOf(search, files, options) : linesOf(search, files).join('\n')}\n`);
  return exitCodeOfAll(errors);
}

/** What was found on all clusters. */
interface Search {
  found: Left[];
  /** The orphans of other owners, where they were asked for. */
  others: Orphan[];
  unread: UnreadGuest[];
  /** What failed clones left: nothing removes it but root on its node. */
  leftovers: CloneLeftover[];
  /** Second guests of machines that are wanted: nothing here removes them. */
  doubles: Double[];
  silent: SilentNodes;
}

async function searchAll(
  { states, around, source }: Awaited<ReturnType<typeof sourcedStates>>,
  options: Options,
): Promise<Search> {
  const others: Orphan[] = [];
  const silent: SilentNodes = new Map();
  const unread = new Map<string, UnreadGuest>();
  const leftovers = new Map<string, CloneLeftover>();
  const doubles = new Map<string, Double>();
  const found = await eachState<Left>(states, around, (state, access, ways) =>
    withRun(access, around, state, async run => {
      const { name: cluster } = state.cluster;
      silent.set(cluster, await leaveOutSilent(run, around));
      const there = statesThere(states, ways, state.owner, access);
      // the same cluster by another name: all of it was found by the first
      if (there[0]?.cluster.name !== cluster) return [];
      const readers = statesOn(states, ways, access);
      const search = await findOrphans(run, { states: there, readers, all: states }, source, options);
      for (const each of search.doubles) doubles.set(`${cluster} ${each.vmid}`, each);
      for (const left of await cloneLeftovers(run, new Set(there.map(({ owner }) => owner))))
        leftovers.set(`${cluster} ${left.vmid}`, left);
      for (const guest of search.unreadable) unread.set(`${cluster} ${guest.vmid}`, guest);
      if (options.all)
        others.push(
          ...(await new Orphans(Infinity).find(run.pve, run.cluster, states, { whose: 'of-others' })),
        );
      return search.orphans.map(orphan => ({ cluster, orphan }));
    }),
  );
  const told = { unread: [...unread.values()], leftovers: [...leftovers.values()] };
  return { found, others: distinct(others), ...told, doubles: [...doubles.values()], silent };
}

function linesOf(
  { found, others, unread, leftovers, doubles }: Search,
  files: readonly LeftFile[],
): string[] {
  const lines = [
    ...found.map(({ orphan }) => orphanLine(orphan)),
    ...others.map(each => `${placeOf(each)}: of another owner, left alone.`),
    ...doubles.map(each => `${doubleText(each)} ${doubleRemedy(each)}`),
    ...files.map(fileLine),
    ...leftovers.map(leftoverText),
    ...[unreadableText(unread) ?? []].flat(),
  ];
  return lines.length === 0 ? ['no orphan was found.'] : lines;
}

function jsonOf(
  { found, others, unread, leftovers, doubles }: Search,
  files: readonly LeftFile[],
  { all }: Options,
): string {
  return JSON.stringify({
    ...{ orphans: found.map(({ orphan }) => orphan), files },
    ...(unread.length > 0 && { unread }),
    ...(leftovers.length > 0 && { leftovers }),
    ...(doubles.length > 0 && { doubles }),
    ...(all && { others }),
  });
}

/** An orphan, and the cluster that it is on. */
interface Left {
  cluster: string;
  orphan: FoundOrphan;
}

function countOf({ count, yes }: Options): number | undefined {
  if (count === undefined) return undefined;
  if (yes !== true) throw new InputError('--count says how many machines gc --yes destroys: add --yes.');
  if (!/^\d{1,6}$/.test(count)) throw new InputError(`--count ${count} is no number: give one, such as 3.`);
  return Number(count);
}

interface Question {
  count: number | undefined;
  errors: readonly unknown[];
  files: readonly LeftFile[];
}

/** Throws unless somebody agrees to the very machines and files: a person, or the number that a program gives. */
async function agreeTo(
  going: readonly Left[],
  { count, errors, files }: Question,
  around: Surroundings,
): Promise<void> {
  const places = going.map(({ orphan }) => goingText(orphan)).join('; ');
  if (count !== undefined && count !== going.length)
    throw new InputError(
      `--count ${count}, and there ${going.length === 1 ? 'is 1 machine' : `are ${going.length} machines`} to destroy${places === '' ? '' : `: ${places}`}. Nothing was changed.${errors.map(error => `\n${messageOf(error)}`).join('')}`,
    );
  if ((going.length === 0 && files.length === 0) || count !== undefined) return;
  const machines = `${counted(going.length, 'machine', 'machines')} that nothing asks for ${going.length === 1 ? 'is' : 'are'} destroyed: ${places}.`;
  const what = [...(going.length > 0 ? [machines] : []), ...filesText(files)].join(' ');
  if (around.ask === undefined)
    throw new InputError(
      `${what} Nobody can be asked here: where they are meant, add --count ${going.length}. Nothing was changed.`,
    );
  await agreed(what, { options: {}, around });
}

/** Somebody was asked meanwhile: all is read anew. The errors. */
function remove(
  going: readonly Left[],
  states: readonly SourcedState[],
  around: Surroundings,
  { silent, withKept }: { silent: SilentNodes; withKept: boolean | undefined },
): Promise<unknown[]> {
  if (going.length === 0) return Promise.resolve([]);
  return eachRun<unknown>(states, around, async (run, { owner, cluster }) => {
    const errors: unknown[] = [];
    run.reading.leaveOut(silent.get(cluster.name) ?? []);
    for (const { cluster: of, orphan } of going)
      if (of === cluster.name && orphan.owner === owner)
        errors.push(...(await removeOrphan(run, orphan, withKept)));
    return errors;
  });
}

function byCluster(going: readonly Left[]): Map<string, Set<number>> {
  const sets = new Map<string, Set<number>>();
  for (const { cluster, orphan } of going) sets.set(cluster, new Set(sets.get(cluster)).add(orphan.vmid));
  return sets;
}

/** Of several desired states on one cluster, each finds the same. */
function distinct(orphans: readonly Orphan[]): Orphan[] {
  return [...new Map(orphans.map(each => [placeOf(each), each])).values()];
}
