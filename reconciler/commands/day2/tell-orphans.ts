import type { Refusal } from '../../action';
import type { Options, Surroundings } from '../../input/surroundings';
import { PveError } from '../../pve';
import { reasonText } from '../../report/failure-text';
import { shellWord } from '../../report/shell-word';
import { lostWith } from '../../plan/losses-text';
import { onlyRead } from '../../report/only-read';
import { doubleRemedy, doubleText } from '../../report/two-guests';
import { oneLine } from '../../report/visible';
import { clonesOfListed } from '../../run/reads/linked-clones';
import type { Double } from '../../run/reads/doubles';
import { Orphans, unreadableText, type Orphan, type UnreadGuest } from '../../run/reads/orphans';
import { cloneLeftovers, type CloneLeftover } from '../../run/reads/clone-leftovers';
import type { Run } from '../../run/run';
import { sourceText, type Source, type SourcedState } from '../../run/wanted';
import { inputsOf } from '../verb';
import { gcCommand } from './gc-command';
import { leftoverText } from './leftover-text';
import { isToldBefore, keepingIn, type LeftOrphan, type WantedByRun } from './renamed';

/** Guests that are read to see whose they are: tags of other owners look alike. gc reads all. */
const MOST = 50;

/** The machines that left, and the guests of which nobody can tell whether they did. */
export interface Left {
  orphans: LeftOrphan[];
  unread: UnreadGuest[];
  /** What failed clones left. */
  leftovers: CloneLeftover[];
  /** Second guests of machines that are wanted. */
  doubles: Double[];
}

/** The same of several desired states, as `--json` has it: nothing where nothing is left. */
export function leftJson(all: readonly Left[]): Partial<Left> {
  const orphans = all.flatMap(each => each.orphans);
  const unread = all.flatMap(each => each.unread);
  const leftovers = all.flatMap(each => each.leftovers);
  const doubles = all.flatMap(each => each.doubles);
  return {
    ...(orphans.length > 0 && { orphans }),
    ...(unread.length > 0 && { unread }),
    ...(leftovers.length > 0 && { leftovers }),
    ...(doubles.length > 0 && { doubles }),
  };
}

/**
 * Names the machines of this owner that left the desired state and are still there, and what removes or keeps each.
 * And what failed clones left. Costs no request where every tag of ours in the cluster is of a machine that is wanted, and
 * no guest has the lock of a clone. `there`: all desired states of this owner on the cluster; what another one of them wants
 * is none, and the first one tells for all. `all`: those of the run, whose machines an orphan may be. Changes nothing.
 */
export async function tellOrphans(
  run: Run,
  state: SourcedState,
  wanted: WantedByRun,
  { reporter }: Pick<Surroundings, 'reporter'>,
  options: Options,
): Promise<Left> {
  const { there } = wanted;
  const nothing = { orphans: [], unread: [], leftovers: [], doubles: [] };
  if (run.signal.aborted || isToldBefore(state, there)) return nothing;
  try {
    const search = new Orphans(MOST);
    const found = await search.find(run.pve, run.cluster, there);
    const keeping = keepingIn(run, wanted, state.source);
    const orphans = await Promise.all(found.map(async one => keeping(await withClones(run, one))));
    for (const orphan of orphans) {
      const { says, remedy } = orphanTexts(orphan, options, state.source);
      const mind = orphan.mayBe === undefined ? '' : ` Mind: ${oneLine(orphan.mayBe)}`;
      reporter.say('warn', `orphan ${oneLine(orphan.machine)}: ${says}${mind} ${remedy}`);
    }
    const { doubles } = search;
    for (const each of doubles) reporter.say('warn', `${doubleText(each)} ${doubleRemedy(each)}`);
    if (search.unread > 0)
      reporter.say(
        'warn',
        `orphans: ${search.unread} more guests have a tag of ours that no machine here has, and were not read: pve-reconciler gc names all that are orphans.`,
      );
    const leftovers = await cloneLeftovers(run, new Set([state.owner]));
    for (const each of leftovers) reporter.say('warn', `leftover: ${leftoverText(each)}`);
    const unreadable = unreadableText(search.unreadable);
    if (unreadable !== undefined) reporter.say('warn', `orphans: ${unreadable}`);
    return { orphans, unread: search.unreadable, leftovers, doubles };
  } catch (error) {
    // what was done to the machines is reported all the same
    if (run.signal.aborted) return nothing;
    if (!(error instanceof PveError)) throw error;
    reporter.say('warn', `orphans: they were not looked for: ${reasonText(error)}`);
    return nothing;
  }
}

/** A template that machines still stand on is no waste. Reads only what is one. */
async function withClones({ pve, cluster }: Run, orphan: Orphan): Promise<Orphan> {
  const clones = orphan.entry === undefined ? await clonesOfListed(pve, orphan, cluster.guests) : [];
  return clones.length === 0 ? orphan : { ...orphan, clones };
}

/** What is said of an orphan, and what removes or keeps it. */
export function orphanTexts(
  { owner, machine, vmid, node, entry, source, losses, refusals, clones, readAs }: Orphan,
  options: Options,
  own?: Source,
): { says: string; remedy: string } {
  const says = oneLine(`VM ${vmid} on ${node}, of ${owner}, is not in the desired state.`);
  if (entry !== undefined) return { says, remedy: 'A Terraform state holds it: destroy it there.' };
  if (readAs !== undefined) return { says, remedy: `It stays: ${onlyRead(readAs, { machine, owner })}` };
  // what one source asks for is an orphan to the others of its owner
  if (source !== undefined && own?.names.includes(source) !== true)
    return { says, remedy: ofAnother(source, own, options) };
  if (clones !== undefined) {
    const stays = `It is needed and stays: linked clones of it are VM ${clones.join(', ')}. Once they are gone: ${gcCommand(undefined, options)}.`;
    return { says, remedy: oneLine(stays) };
  }
  if (refusals) return { says, remedy: `It would not be destroyed: ${hindrance(refusals)}` };
  const taken = lostWith(losses);
  const lost = taken === '' ? '' : oneLine(` It goes${taken}.`);
  const command = oneLine(['pve-reconciler destroy', ...destroyWords(machine, options)].join(' '));
  return {
    says,
    remedy: `To remove it: ${command}.${lost} To keep it: name it in the desired state again.`,
  };
}

function ofAnother(source: string, own: Source | undefined, options: Options): string {
  return oneLine(
    `Source "${source}" wrote it last, and this is ${sourceText(own)}: it is that one's to change and to destroy. Where both are to be kept apart, give one another owner; where nobody wants any of what that source wrote: ${gcCommand(source, options)}, which removes all of it that is not in this desired state.`,
  );
}

/** What speaks against a destroy that nobody has asked for yet, and what to do. */
export function hindrance(refusals: readonly Refusal[]): string {
  return refusals.map(({ detail, remedy }) => `${oneLine(detail)} ${remedy.trimEnd()}`).join('\n');
}

/** Whoever may write the guest's description may have written its machine: it is one word, and no option. */
function destroyWords(machine: string, options: Options): string[] {
  const inputs = inputsOf(options);
  const words = machine.startsWith('-') ? [...inputs, '--', machine] : [machine, ...inputs];
  return words.map(shellWord);
}
