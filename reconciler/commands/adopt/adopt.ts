import { randomUUID } from 'node:crypto';
import { leftAlone, type LeftAlone } from '../../adopt/candidates';
import { findMachines, type FoundMachines } from '../../adopt/find-machines';
import { markRefusals, writeMark } from '../../adopt/adopt-guest';
import { untouched, type Refusal } from '../../action';
import { InputError, RefusedError } from '../../errors';
import { oneLine } from '../../report/visible';
import type { Options, Surroundings } from '../../input/surroundings';
import { exitCodeOfAll } from '../../report/exit-code';
import type { Run } from '../../run/run';
import { accessForOne, withRun } from '../with-run';
import { adoptAsked, type AdoptAsked } from './asked';
import { fromState } from './from-state';
import { unsaidLines } from '../../adopt/text/unsaid-lines';
import { marksText } from './marks-text';
import { mayWrite } from '../asking/agreed';
import { proveEmpty } from './prove-empty';

/** Prints a program for guests that are there and, once it may, marks them as its machines. Changes nothing else. */
export async function adopt(around: Surroundings, options: Options, words: string[]): Promise<number> {
  const asked = adoptAsked(options, words, around);
  const state = await fromState(options, around);
  const choice = state ? { vmids: [...state.held.keys()] } : asked.choice;
  const access = accessForOne({ name: asked.cluster }, around);
  const { errors, adopted, marked } = await withRun(access, around, undefined, async run => {
    const found = await findMachines(run, choice, {
      ...asked,
      ...(state && { held: state.held }),
      ...(asked.isFolder ? { before: 'all' } : state && { before: 'meant' }),
      progress: (done, of) => around.reporter.working(`Reading guests: ${done} of ${of}`),
    });
    around.reporter.working(undefined);
    const refused = [
      ...tellLeft(found, { isNamed: words.length > 0, mine: state && asked.owner }, around),
      ...(state?.refusals ?? []).map(each => around.reporter.failed(each.machine, new RefusedError([each]))),
    ];
    if (isNothing(found) && options.all !== true) throw new RefusedError([noneFound(options)]);
    if (found.guests.length === 0) {
      around.reporter.say('info', 'No guest is left to adopt.');
      return { adopted: found.state, errors: refused, marked: [] };
    }
    const isThere = keepsProgram(found, asked);
    // a program that is printed is taken for one whose machines may be marked
    if (options.yes === true) refuseFirst(run, found);
    if (isThere)
      around.reporter.say('info', `${asked.overwrites} has the program already, and stays as it is.`);
    else asked.print(found.program);
    if (asked.isFolder) unsaidLines(found.program).forEach(line => around.reporter.say('info', line));
    state?.tellForgetting(found);
    const may = await mayMarkThem(found, asked, options, around);
    const ended = may ? await markAll(run, found, around) : [];
    return {
      adopted: found.state,
      errors: [...refused, ...ended.flatMap(({ error }) => error ?? [])],
      marked: ended.flatMap(({ id, error }) => (error === undefined ? [id] : [])),
    };
  });
  const unproven = await proveEmpty(adopted, marked, access, around);
  return exitCodeOfAll([...errors, ...unproven]);
}

/** Asks for the guests without a mark. */
async function mayMarkThem(
  { guests }: FoundMachines,
  { owner, isFolder }: AdoptAsked,
  options: Options,
  around: Surroundings,
): Promise<boolean> {
  const toMark = guests.filter(({ guest }) => guest.mark === undefined).map(({ listed }) => listed);
  // the file is there by now, and the same line would write it again
  const isFileThere = options.out !== undefined && !isFolder && options.force !== true;
  const flags = isFileThere ? '--yes --force' : '--yes';
  if (toMark.length > 0) return mayWrite(marksText(toMark, owner), options, around, flags);
  around.reporter.say('info', 'Each guest of the program has its mark already.');
  return false;
}

/**
 * Whether the file holds this program already: an earlier run was cut short. Throws where what is written over may say
 * machines of the owner that this run does not say: they would be lost from the code, and their guests with them.
 */
function keepsProgram(
  { guests, program, withheld }: FoundMachines,
  { overwrites, owner, holds, isFolder }: AdoptAsked,
): boolean {
  if (overwrites === undefined) return false;
  const marked = guests.filter(({ guest }) => guest.mark !== undefined);
  if (marked.length > 0 && holds(program)) return true;
  const lost = [...withheld, ...(isFolder ? [] : marked.map(({ listed }) => `VM ${listed.vmid}`))];
  if (lost.length === 0) return false;
  throw new InputError(
    `${overwrites} may hold the program of what ${owner} has already (${lost.join(', ')}), or was edited since, and this run would not write the same. Name another place with --out. No guest was changed, and no file.`,
  );
}

/** Throws where none of the guests can be marked: then there is nothing to print. */
function refuseFirst(run: Run, { guests, state: { owner, cluster, machines } }: FoundMachines): void {
  run.needQuorumAsRead();
  const refusals = machines.flatMap((spec, index) => {
    const read = guests[index];
    if (read === undefined || read.guest.mark !== undefined) return [];
    return [markRefusals(run, read, { spec }, { owner, cluster, uuid: randomUUID() })];
  });
  if (refusals.length > 0 && refusals.every(({ length }) => length > 0))
    throw new RefusedError(refusals.flat());
}

function isNothing({ guests, left, missing }: FoundMachines): boolean {
  return guests.length + left.length + missing.length === 0;
}

function noneFound({ pool, tag, node }: Options): Refusal {
  const asked = Object.entries({ pool, tag, node }).flatMap(([what, name]) =>
    name === undefined ? [] : [`${what} ${name}`],
  );
  const detail = `the cluster lists no guest of ${asked.join(' and ')}, or the caller may not see it.`;
  const remedy = 'Look for a mistyped word, or grant VM.Audit on its guests.';
  return { machine: 'adopt', ...untouched('not-found', detail, remedy) };
}

/** Of all guests of a cluster nobody expects that templates and machines of others can be adopted; of named ones it is an error. */
function tellLeft(
  { left, missing }: FoundMachines,
  { isNamed, mine }: { isNamed: boolean; mine: string | undefined },
  { reporter }: Surroundings,
): unknown[] {
  // a state names its guests: those of another owner are not what somebody expects
  const isTheirs = ({ ofOwner }: LeftAlone): boolean =>
    mine !== undefined && ofOwner !== undefined && ofOwner !== mine;
  const isError = (each: LeftAlone): boolean => isNamed || !each.isUsual || isTheirs(each);
  for (const { refusal } of left.filter(each => !isError(each)))
    reporter.say('info', `${refusal.machine}: ${oneLine(refusal.detail)}`);
  const refusals = [...missing.map(notListed), ...left.filter(isError).map(({ refusal }) => refusal)];
  return refusals.map(refusal => reporter.failed(refusal.machine, new RefusedError([refusal])));
}

function notListed(vmid: number): Refusal {
  const detail = `the cluster lists no guest ${vmid}, or the caller may not see it.`;
  const remedy = 'Look for a mistyped number, or grant VM.Audit on it.';
  return { machine: `VM ${vmid}`, ...untouched('not-found', detail, remedy) };
}

async function markAll(run: Run, { guests, state }: FoundMachines, around: Surroundings) {
  run.needQuorumAsRead();
  const { owner, cluster, machines } = state;
  const toMark = machines.flatMap((spec, index) => {
    const read = guests[index];
    return read === undefined || read.guest.mark !== undefined ? [] : [{ spec, read }];
  });
  let done = 0;
  const ends = await Promise.all(
    toMark.map(async ({ spec, read }): Promise<{ id: string; error?: unknown }> => {
      const { id } = spec;
      try {
        const why = await writeMark(run, read, { spec }, { owner, cluster, uuid: randomUUID() });
        around.reporter.working(`Marking guests: ${(done += 1)} of ${toMark.length}`);
        if (why === undefined) return { id };
        throw new RefusedError([leftAlone(read.listed, why).refusal]);
      } catch (error) {
        return { id, error: around.reporter.failed(id, error) };
      }
    }),
  );
  around.reporter.working(undefined);
  return ends;
}
