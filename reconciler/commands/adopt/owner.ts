import { closest } from '../../../spec';
import { OTHER_UUID, moveOwner, readMarks, type Marked, type Move } from '../../adopt/move-owner';
import { untouched } from '../../action';
import { InputError, RefusedError } from '../../errors';
import type { Options, Surroundings } from '../../input/surroundings';
import { isMadeFor } from '../../mark/machine-uuid';
import { letGoFirst } from '../../guest/let-go';
import type { Mark } from '../../mark/mark';
import { plain } from '../../observe/refused-guest';
import { exitCodeOfAll } from '../../report/exit-code';
import type { Run } from '../../run/run';
import { clusterNamed, emptyState } from '../named-cluster';
import { accessForOne, withRun } from '../with-run';
import { marksText } from './marks-text';
import { mayWrite } from '../asking/agreed';

/**
 * `owner move OLD NEW [ID…]`: gives the machines of one owner to another, by their marks; with ids only those. Changes nothing else
 * of them.
 */
export async function owner(around: Surroundings, options: Options, words: string[]): Promise<number> {
  const move = moveOf(words);
  const cluster = clusterNamed(options, around);
  // throws where the name is none
  emptyState(move.to, cluster);
  const access = accessForOne({ name: cluster }, around);
  return withRun(access, around, undefined, async run => {
    const marks = await readMarks(run);
    const theirs = marks.filter(({ mark }) => mark.owner === move.from);
    if (theirs.length === 0) return nothingLeft(marks, move, around);
    const meant = theirs.filter(({ mark }) => isMeant(mark, move));
    refuseUnknown(marks, meant, move);
    if (meant.length === 0) return allMoved(move, around);
    const judged = meant.map(each => ({ each, no: notMoved(each, marks, move) }));
    const refused = judged.flatMap(({ each, no }) =>
      no === undefined ? [] : [around.reporter.failed(each.mark.machine, no)],
    );
    const free = judged.flatMap(({ each, no }) => (no === undefined ? [each] : []));
    const guests = free.map(({ listed }) => listed);
    if (free.length === 0 || !(await mayWrite(marksText(guests, move.to), options, around)))
      return exitCodeOfAll(refused);
    run.needQuorumAsRead();
    const ends = await Promise.all(free.map(each => moveOne(run, each, move, around)));
    return exitCodeOfAll([...refused, ...ends.flat()]);
  });
}

/** From whom to whom, and which machines; no id: all. */
type WhichMove = Move & { ids: readonly string[] };

function moveOf([verb, from, to, ...ids]: string[]): WhichMove {
  const usage = 'Write: pve-reconciler owner move OLD NEW, and the ids of machines where not all are meant';
  if (verb !== 'move') {
    const meant = verb !== undefined && closest(verb, ['move']) !== undefined ? " Did you mean 'move'?" : '';
    throw new InputError(`owner can only move.${meant} ${usage}`);
  }
  if (from === undefined || to === undefined || from === to)
    throw new InputError(`owner move needs two different owners. ${usage}`);
  return { from, to, ids };
}

const isMeant = ({ machine }: Mark, { ids }: WhichMove): boolean => ids.length === 0 || ids.includes(machine);

/** Its uuid was chosen for the old owner: a move was done before. */
const isMoved = ({ owner, uuid, machine }: Mark, { from, to }: Move): boolean =>
  owner === to && isMadeFor(uuid, { owner: from, ids: [machine] });

/** Nothing is moved where a name is mistyped. */
function refuseUnknown(marks: readonly Marked[], meant: readonly Marked[], move: WhichMove): void {
  const known = [...meant, ...marks.filter(({ mark }) => isMoved(mark, move))].map(
    ({ mark }) => mark.machine,
  );
  const unknown = move.ids.find(id => !known.includes(id));
  if (unknown === undefined) return;
  const theirs = marks.flatMap(({ mark }) => (mark.owner === move.from ? [mark.machine] : [])).sort();
  const near = closest(unknown, theirs);
  const there = near === undefined ? `There are ${theirs.join(', ')}.` : `Did you mean '${near}'?`;
  throw new InputError(
    `owner '${move.from}' has no machine '${unknown}' here. ${there} Where it was moved to ${move.to} before, leave it out. Nothing was changed.`,
  );
}

function allMoved({ ids, to }: WhichMove, { reporter }: Surroundings): number {
  reporter.say('info', `${ids.join(', ')}: of ${to} already. Nothing is left to do.`);
  return exitCodeOfAll([]);
}

/**
 * A move that was done before finds none, and is no error: a uuid that was chosen for the old owner stays with its guest,
 * and proves it. Whatever proves nothing is a mistyped owner.
 */
function nothingLeft(marks: readonly Marked[], move: WhichMove, { reporter }: Surroundings): number {
  const { from, to } = move;
  const theirs = marks.map(({ mark }) => mark).filter(mark => mark.owner === to && isMeant(mark, move));
  if (theirs.some(mark => isMoved(mark, move))) {
    reporter.say('info', `No machine of ${from} is left; those of ${to} stay as they are.`);
    return exitCodeOfAll([]);
  }
  const owners = [...new Set(marks.map(({ mark }) => mark.owner))].sort();
  const near = closest(from, owners);
  const there = near === undefined ? `There are ${owners.join(', ') || 'none'}.` : `Did you mean '${near}'?`;
  const done = theirs.length > 0 ? ` Where they were moved to ${to} before, nothing is left to do.` : '';
  throw new InputError(`no machine of owner '${from}' is there. ${there}${done} Nothing was changed.`);
}

/**
 * Why a machine is not moved, as far as the marks say. Terraform: the registry entry of a machine keeps the owner, and every
 * plan of that state compares it.
 */
function notMoved(each: Marked, marks: readonly Marked[], { to }: Move): RefusedError | undefined {
  const { owner: from, machine, entry } = each.mark;
  const which = `${plain(each.listed)} is not moved`;
  // a copy has the entry of the first one in its mark: what is said of a state would be of that one
  if (each.hasOtherUuid) return refusal(each, `${plain(each.listed)} ${OTHER_UUID}.`);
  if (entry !== undefined) {
    const why = `${which}: a Terraform state holds it, and keeps the owner ${from}.`;
    const remedy = `Give its program the owner ${from} again. To give it to another program: ${letGoFirst(each.mark)}; in the new program say adopt: true with vmid ${each.listed.vmid}.`;
    return refusal(each, why, remedy);
  }
  const isTaken = marks.some(({ mark }) => mark.owner === to && mark.machine === machine);
  return isTaken ? refusal(each, `${which}: ${to} has a machine of this id already.`) : undefined;
}

async function moveOne(run: Run, each: Marked, move: Move, around: Surroundings): Promise<unknown[]> {
  const { listed, mark } = each;
  try {
    const why = await moveOwner(run, each, move);
    if (why !== undefined) throw refusal(each, why);
    around.reporter.say('info', `${mark.machine}: VM ${listed.vmid} belongs to ${move.to} now.`);
    return [];
  } catch (error) {
    return [around.reporter.failed(mark.machine, error)];
  }
}

function refusal(
  { mark }: Marked,
  why: string,
  remedy = 'The others are moved all the same; running again is safe.',
): RefusedError {
  return new RefusedError([{ machine: mark.machine, ...untouched('not-moved', why, remedy) }]);
}
