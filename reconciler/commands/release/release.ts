import { closest } from '../../../spec';
import { isOneOf, ownedGuests, type OwnedGuest, type OwnedGuests } from '../../adopt/owned-guests';
import { releaseGuest } from '../../adopt/release-guest';
import { untouched, type Refusal } from '../../action';
import { counted, InputError, RefusedError } from '../../errors';
import type { Options, Surroundings } from '../../input/surroundings';
import { plain } from '../../observe/refused-guest';
import { exitCodeOfAll } from '../../report/exit-code';
import { causeText } from '../../report/failure-text';
import { oneLine } from '../../report/visible';
import type { Run } from '../../run/run';
import { mayWrite } from '../asking/agreed';
import { clusterNamed, emptyState } from '../named-cluster';
import { accessForOne, withRun } from '../with-run';
import { forgetLines } from './forget-lines';
import { leavingJson, leavingLine, leavingOf, type Leaving } from './leaving-machine';

/**
 * Takes our marks and tags off the guests of an owner, once it may, and lists before what that leaves. Changes nothing else:
 * the guests run on and are nobody's.
 */
export async function release(around: Surroundings, options: Options, words: string[]): Promise<number> {
  const { owner = '' } = options;
  const cluster = clusterNamed(options, around);
  // throws where a name is none
  if (owner !== '') emptyState(owner, cluster);
  const access = accessForOne({ name: cluster }, around);
  return withRun(access, around, undefined, async run => {
    const found = await ownedGuests(run, owner);
    const { meant, kept } = chosen(found, owner, words);
    const errors: unknown[] = [...kept, ...missingOf(found, owner, words)].map(refusal =>
      around.reporter.failed(refusal.machine, new RefusedError([refusal])),
    );
    const leaving = meant.map(each => ({ guest: each, told: leavingOf(each) }));
    const machines = leaving.map(({ told }) => told);
    const tell = tellsOf(machines, { owner, cluster }, around, options);
    tell.before(found.others);
    if (machines.length > 0 && (await mayWrite(marksOff(machines, owner), options, around))) {
      run.needQuorumAsRead();
      const ended = await Promise.all(leaving.map(({ guest, told }) => releaseOne(run, guest, told, around)));
      errors.push(...ended.flat());
      tell.after();
    }
    if (options.json) around.out(`${leavingJson(machines, errors)}\n`);
    return exitCodeOfAll(errors);
  });
}

/** The machines that are meant, and the guests that are left, each with its reason. Throws where the owner has none. */
function chosen(
  { owned, kept, others }: OwnedGuests,
  owner: string,
  words: readonly string[],
): { meant: OwnedGuest[]; kept: Refusal[] } {
  const all = words.length === 0;
  const left = all ? kept : kept.filter(each => isOneOf(each, owner, words));
  const isKnown = owned.length > 0 || kept.some(({ mark }) => mark !== undefined);
  if (owner === '' || (!isKnown && (all || left.length === 0)))
    throw noneOf(owner, [...new Set(others.map(({ mark }) => mark.owner))].sort());
  return {
    meant: owned.filter(({ mark }) => all || words.includes(mark.machine)),
    kept: left.map(({ listed, mark, reason: { why, remedy } }) => ({
      machine: mark?.machine ?? `VM ${listed.vmid}`,
      ...untouched('not-released', oneLine(`${plain(listed)} is not released: ${why}.`), remedy),
    })),
  };
}

function noneOf(owner: string, owners: readonly string[]): InputError {
  const there =
    owners.length === 0 ? 'No owner has a machine here.' : `There are ${owners.map(oneLine).join(', ')}.`;
  if (owner === '') return new InputError(`Say whose machines: --owner. ${there} Nothing was changed.`);
  const near = closest(owner, [...owners]);
  const meant = near === undefined ? there : `Did you mean '${oneLine(near)}'?`;
  return new InputError(
    `no machine of owner '${owner}' is there, or the caller may not see it. ${meant} Where all were released before, nothing is left to do. Nothing was changed.`,
  );
}

/** A run that is cut short and run again finds some of its machines gone: the others go on. */
function missingOf({ owned, kept, others }: OwnedGuests, owner: string, words: readonly string[]): Refusal[] {
  const missing = words.filter(
    word =>
      !owned.some(({ mark }) => mark.machine === word) && !kept.some(each => isOneOf(each, owner, [word])),
  );
  const ids = owned.map(({ mark }) => mark.machine);
  return missing.map(machine => {
    const near = closest(machine, ids);
    const other = others.find(({ mark }) => mark.machine === machine);
    const meant = near === undefined ? '' : ` Did you mean '${oneLine(near)}'?`;
    const theirs = other && ` ${plain(other.listed)} is that of ${other.mark.owner}, and is left alone.`;
    const detail = `${owner} has no machine '${machine}' here, or the caller may not see it.${meant}${theirs ?? ''}`;
    const remedy = 'Where it was released before, nothing is left to do.';
    return { machine, ...untouched('not-found', oneLine(detail), remedy) };
  });
}

/** What is reported on stdout besides JSON: what goes and what stays, before the question and after the writes. */
function tellsOf(
  machines: readonly Leaving[],
  names: { owner: string; cluster: string },
  { out, reporter }: Surroundings,
  { json, yes, quiet }: Options,
) {
  // whoever is asked sees the list all the same
  const isSilent = json === true || (quiet === true && yes === true);
  const print = (lines: readonly string[]): void => {
    if (!isSilent && lines.length > 0) out(`${lines.join('\n')}\n`);
  };
  return {
    before: (others: OwnedGuests['others']): void => {
      print(machines.map(leavingLine));
      if (machines.length > 0 && yes !== true) print(forgetLines(machines, names));
      const theirs = others.map(({ listed, mark }) => `${mark.machine} of ${mark.owner} (VM ${listed.vmid})`);
      if (others.length > 0)
        reporter.say('info', oneLine(`Left alone, of other owners: ${theirs.join(', ')}.`));
    },
    after: (): void =>
      print(
        forgetLines(
          machines.filter(({ fate }) => fate === 'released'),
          names,
        ),
      ),
  };
}

/** What is taken off, as a question says it. */
function marksOff(machines: readonly Leaving[], owner: string): string {
  const list = machines.map(({ machine, vmid }) => `${machine} (VM ${vmid})`).join(', ');
  const count = counted(machines.length, 'machine', 'machines');
  return oneLine(
    `takes our line in the description and our tag off ${count} of owner ${owner}, which stay as they are and are nobody's then: ${list}.`,
  );
}

/** The errors of one; it stops no other. */
async function releaseOne(
  run: Run,
  guest: OwnedGuest,
  told: Leaving,
  { reporter }: Surroundings,
): Promise<unknown[]> {
  const { machine, vmid, node } = told;
  try {
    const reason = await releaseGuest(run, guest);
    if (reason === undefined) {
      told.fate = 'released';
      reporter.say('info', oneLine(`${machine}: VM ${vmid} on ${node} is released.`));
      return [];
    }
    const detail = oneLine(`${plain(guest.listed)} is not released: ${reason.why}.`);
    throw new RefusedError([{ machine, ...untouched('not-released', detail, reason.remedy) }]);
  } catch (error) {
    told.fate = error instanceof RefusedError ? 'refused' : 'failed';
    told.why = causeText(error).trimEnd();
    return [reporter.failed(machine, error)];
  }
}
