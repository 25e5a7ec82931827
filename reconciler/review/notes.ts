import type { Difference } from '../../spec';
import { runsDestroy } from './plan/entry-change';
import type { MachineParts } from './plan/machine-parts';
import { blockMoved } from './plan/other-call';
import { losesDisks, type ReviewVerdict } from './review';
import type { SpecWords } from './spec-words';
import { anotherMachine, leftBehind, type StandingGuest } from './standing-guest';
import { isMadeNoMore, type ObserverAnswer } from './observer-answer';

/** What a plan and its observers tell of one machine. */
export interface Facts {
  parts: MachineParts;
  told: ObserverAnswer;
  guest: StandingGuest;
  words: SpecWords;
}

/** What is known of one machine when its notes are written. */
interface Known extends Facts {
  verdict: ReviewVerdict;
  difference: Difference;
}

/** Why a machine is treated like this, and what is not known of it: whole sentences. */
export function notesOf(known: Known): string[] {
  const ofAnother = heldAnother(known);
  const ofGuests = ofAnother.length > 0 ? ofAnother : ofGuest(known);
  return [...ofGuests, ...ofPlan(known), ...ofRestart(known)];
}

/** Its destroy is refused, as its registry entry holds the guest of another machine. */
function heldAnother({ parts, verdict, guest }: Known): string[] {
  const another = runsDestroy(parts.entryChange) ? anotherMachine(parts, guest) : undefined;
  if (verdict !== 'refused' || another === undefined) return [];
  return [
    `Its registry entry holds VM ${guest.vmid} on ${guest.node}, and that is machine '${another}': the destroy is refused. Where it has a new id, apply that once, with '${another}' in formerIds, then destroy. Else: ${backTo(another)}`,
  ];
}

/** What a destroy takes, or why it is refused. */
function ofGuest({ parts, verdict, guest, words }: Known): string[] {
  const { entryChange, module, otherCall } = parts;
  const { stays, seen, isOthers, isOfNone, clones, isOfImage } = guest;
  const leaves = entryChange.entry === 'gone' || entryChange.entry === 'replaced';
  if (isOfNone && runsDestroy(entryChange)) return [verdict === 'forget' ? LEFT_ALONE : TAKEN];
  if (verdict === 'refused' && leaves && stays !== undefined) {
    return [`Its destroy is refused: ${stays}${stays === PROTECTED ? ` ${REMEDY}` : ''}`];
  }
  const isKept = runsDestroy(entryChange) && !isOthers && clones.length > 0;
  const linked = `there are linked clones of it: ${clones.join(', ')}`;
  if (verdict === 'refused' && isKept && !isOfImage)
    return [`Its destroy is refused: it is a template, and ${linked}. Remove those first.`];
  if (verdict === 'forget' && isKept)
    return [
      `It is a template of an image, and ${linked}. So it stays, and no Terraform state holds it then: pve-reconciler gc --yes removes it once they are gone.`,
    ];
  if (verdict === 'forget' && isOthers) {
    return ['Another registry entry of Terraform holds this guest: its destroy leaves it alone.'];
  }
  if (verdict === 'refused' && isOthers && otherCall !== undefined) {
    return [
      `Its registry entry in ${otherCall} holds this guest, and the plan forgets that entry: the apply of this one is refused. If ${otherCall} is called ${module} now, write ${blockMoved(otherCall, module)}; else move both entries of the machine (blocks moved): then it stays as it is.`,
    ];
  }
  // what is advised of another state would not keep it: this very plan destroys it
  if (verdict === 'refused' && isOthers && guest.goesBefore) return [];
  if (verdict === 'refused' && isOthers) {
    return [
      'Another registry entry of Terraform holds this guest: the apply is refused, with `adopt: true` too. If this is another program, workspace or call, or if two calls in this very state have this owner: give each an owner of its own, or the machine another id. Else use the state of that entry, or its backup (terraform.tfstate.backup). Only if both are lost: release the machine first (pve-reconciler release), then adopt it with its vmid.',
    ];
  }
  if (!losesDisks({ verdict }) || seen === 'found') return [];
  if (seen === 'absent') return [UNSEEN];
  return [
    `Its place is the one of its last apply, and its disks are not known: ${seen.not}.`,
    ...(words.isProtected
      ? [`It was protected when it was last applied: if it still is, its destroy is refused. ${REMEDY}`]
      : []),
  ];
}

const NO_ENTRY = 'The mark of this guest names no registry entry: none has ever applied it';
const LEFT_ALONE = `${NO_ENTRY}, so the destroy leaves it alone. To destroy it: pve-reconciler destroy or gc, with the files that made it.`;
const TAKEN = `${NO_ENTRY}, so the destroy of the old one leaves it alone.`;

const GONE =
  'Its destroy runs before the apply refuses to make it again: it is gone then. To keep it, plan again without what replaces its entry. The reason why it is refused:';

const UNSEEN =
  'No guest with its tag was found when Proxmox was last looked at. Where its apply finds one by its mark, that one goes with all that it has: nobody has read what.';

/** As an observer says it. */
const PROTECTED = 'it is protected.';
const REMEDY = 'Set its protection to false and apply that first, or do it in Proxmox.';

const NOT_SHOWN =
  'It may stand, and only the apply knows what is wanted of it, so --fail-on loss counts it. That apply refuses to make it anew, to take a disk or a snapshot, or to go back to one: the next plan shows that. It does not refuse where an earlier release wrote the stack, or the call of its module has a depends_on.';

const NOT_READ =
  'Proxmox was not asked about it: the plan failed before that. Nobody knows what would become of it, so every --fail-on counts it.';

/** Whether a guest of the machine may be there: a plan may hold no reading of it. */
export function mayStand({ parts: { entryChange }, guest }: Pick<Facts, 'parts' | 'guest'>): boolean {
  return entryChange.entry !== 'new' && guest.seen !== 'absent';
}

function ofPlan(known: Known): string[] {
  const { parts, verdict, told, difference } = known;
  const { entry, revision } = parts;
  const { adopts, unknown } = difference;
  const isGone = verdict === 'destroy' && isMadeNoMore(known);
  return [
    ...(isGone ? [GONE] : []),
    ...((verdict === 'refused' || isGone) && told
      ? [told.refusal, told.alone].flatMap(text => text.split('\n')).filter(line => line !== '')
      : []),
    ...(verdict === 'unread' ? [NOT_READ] : []),
    ...(verdict === 'unplanned' ? ['This plan leaves it out.'] : []),
    ...(verdict === 'unknown' ? waitsFor(parts) : []),
    ...(verdict === 'unknown' && mayStand(known) ? [NOT_SHOWN] : []),
    ...(verdict === 'unknown' && entry?.change.actions[0] === 'create' ? ['It is new to this state.'] : []),
    ...(adopts && verdict !== 'adopt' ? ['A guest that is there comes under this stack: adopt.'] : []),
    ...(unknown === undefined ? [] : unknown.split('\n')),
    ...(difference.warnings ?? []).map(text => `Warning: ${text}`),
    ...(difference.notes ?? []).map(note => (losesDisks({ verdict }) ? asRemade(note) : asSentence(note))),
    ...(difference.waitsFor ?? []).map(text => `The apply waits for ${text}.`),
    ...(told?.status === 'observed' ? [observed(told.drift)] : []),
    ...(told?.status === 'paused' ? ['It is paused: nobody read how it stands.'] : []),
    ...wasMoved(known),
    ...(isMadeAgain(known) ? [AGAIN] : []),
    ...goesFirst(known),
    ...(verdict === 'unchanged' && revision?.change.actions.includes('create')
      ? ['Terraform applies it again and finds nothing to do.']
      : []),
  ];
}

/** Its guest is that of a registry entry that goes: of its former id, or of the call of the module that it was in. */
function goesFirst({ verdict, guest, words, parts: { otherCall } }: Known): string[] {
  if (guest.goesBefore !== true) return [];
  if (otherCall !== undefined)
    return [
      `This plan destroys its guest, with its registry entry in ${otherCall}: this one is new and empty, or refused where its apply comes first. For it to stay, apply nothing, move both entries of Terraform too (blocks moved), and plan again.`,
    ];
  if (verdict === 'refused' || words.formerIds?.length === 0)
    return [
      'This plan destroys its guest, with the registry entry that it had, which may be in another call of the module: the one here is new. For it to stay, apply nothing, move both entries of Terraform too (blocks moved), and plan again.',
    ];
  return [
    'The guest that formerIds names is destroyed first, with the registry entry of its former id: this one is new. For it to stay, move both entries of Terraform too (blocks moved).',
  ];
}

const AGAIN =
  'An apply of this state made it, or began to and failed, and no guest of it is found now. If it was made: somebody deleted it, or PVE_ENDPOINT leads to another cluster, or the user does not see it. The new one is empty; one that is on another cluster stays there, and nothing manages it.';

/** Whether what is made stands for a machine that the state has applied before. */
function isMadeAgain({ parts: { entryChange, revision }, verdict, guest }: Known): boolean {
  if (verdict !== 'create' || guest.goesBefore || entryChange.entry !== 'kept') return false;
  return revision !== undefined && (revision.change.before ?? undefined) !== undefined;
}

const backTo = (machine: string): string =>
  `Take its entries of Terraform back to '${machine}' (terraform state mv, or remove the blocks moved), and plan again.`;

/** Without the former id in its spec the machine is new, and the guest of before is nobody's. */
function wasMoved({ parts, guest, words }: Known): string[] {
  const renamed = parts.entry?.previous_address;
  const left = leftBehind(parts, guest, words);
  if (left === undefined) return renamed === undefined ? [] : [`It was ${renamed} before. The guest stays.`];
  const place = `VM ${guest.vmid} on ${guest.node}`;
  if (guest.isWanted)
    return [
      `Its registry entry was moved here from '${left}', and holds ${place}, which is '${left}'. ${backTo(left)}`,
    ];
  return [
    `Its registry entry was moved here from '${left}', and its formerIds does not name that: a second guest would be made, and ${place} left to nobody. Name '${left}' in formerIds.`,
  ];
}

function observed(drift: string): string {
  return `It is only observed (mode: observe).${drift === '' ? '' : ` It differs: ${drift}`}`;
}

/** The observer of a machine does not know that its registry entry is replaced: a kept image goes with the machine. */
function asRemade(note: string): string {
  return note.startsWith('stays ')
    ? 'It is made anew from the image that its spec names now, not from the one that it was made from.'
    : asSentence(note);
}

/** A note of a plan goes on after the name of its machine, which a review leaves out. */
function asSentence(note: string): string {
  return note.startsWith('stays ') ? `It ${note}` : note.charAt(0).toUpperCase() + note.slice(1);
}

function ofRestart({ verdict, difference: { restart } }: Known): string[] {
  if (restart === undefined || verdict === 'rebuild') return [];
  return restart === 'now'
    ? ['The apply restarts it.']
    : ['It is not restarted: the change waits until somebody restarts it.'];
}

function waitsFor({ module, answers, sharesAnswers }: MachineParts): string[] {
  const { reads = [], result } = answers ?? {};
  const read = reads.join(', ');
  if (module === '' || !sharesAnswers || result !== undefined) {
    return reads.length > 0 ? [`Its spec reads what only apply gives: ${read}.`] : [];
  }
  return [
    `The machines of ${module} are read together, and only when it is applied${reads.length > 0 ? `: one of them reads ${read}` : ''}. Name in own_observer the machine whose value comes late, and the others do not wait.`,
  ];
}
