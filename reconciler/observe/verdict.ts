import { imageOfTemplate } from '../mark/image-words';
import { markOf, observedGuest } from './guest';
import { whyNotAdoptable } from './not-adoptable';
import type { ListedGuest, ObservedMachine } from '../observed';
import type { Finding, Sought } from './sought';

type Refused = Extract<ObservedMachine, { kind: 'refused' }>;
type Reason =
  | 'no-sight'
  | 'hidden'
  | 'two-guests'
  | 'other-entry'
  | 'damaged-mark'
  | 'copy'
  | 'tagged'
  | 'other-owner'
  | 'vmid-taken'
  | 'vmid-taken-for-good'
  | 'not-adoptable';

/** The locks of a guest that is being made. One that has such a lock, and nobody at work on it, is never finished. */
export const MAKES = ['clone', 'create'];

/** A guest that is ours. */
export function guestOf({ listed, config, verdict }: Finding): ObservedMachine {
  return { kind: 'present', guest: observedGuest(listed, config), unfinished: verdict === 'unfinished' };
}

interface Words {
  detail: string;
  remedy: string;
}

/** The wording of each reason not to touch what was found. */
const WORDS: Record<Exclude<Reason, 'not-adoptable'>, (guests: string, sought: Sought) => Words> = {
  'no-sight': () => ({
    detail: 'no guest of the cluster may be seen, so that nobody can tell whether this one is there.',
    remedy: 'Grant VM.Audit on /vms to the user, and to the token if it has rights of its own.',
  }),
  hidden: guests => ({
    detail: `its node lists ${guests}, and says that it has no configuration. It may be there: no second one is made.`,
    remedy:
      'Look at it on its node (`qm config`), and at what stands between here and the API. Then run again.',
  }),
  'two-guests': guests => ({
    detail: `${guests} both carry the mark of this machine.`,
    remedy: "Decide which one it is, and remove the last line of the other one's description.",
  }),
  'other-entry': guests => ({
    detail: `${guests} belongs to another Terraform state of the same owner.`,
    remedy: 'Use that state, or set `adopt: true` with its vmid to take it over.',
  }),
  'damaged-mark': guests => ({
    detail: `${guests} carries our tag, but the last line of its description cannot be read.`,
    remedy: 'Restore that line, or remove line and tag and set `adopt: true` with its vmid.',
  }),
  copy: guests => ({
    detail: `the machine is not there, and ${guests} was cloned from it: it carries the mark with another uuid.`,
    remedy:
      'If it is to stay, remove its tag pvr-… and the last line of its description; else delete it by hand.',
  }),
  tagged: guests => ({
    detail: `${guests} carries our tag, and the last line of its description does not name this machine.`,
    remedy: 'If it is this machine, set `adopt: true` with its vmid; else remove its tag pvr-….',
  }),
  'other-owner': (guests, { name, identity }) => {
    const image = imageOfTemplate(identity.ids[0] ?? '');
    const remedy =
      image === undefined
        ? 'Give this machine another `name`'
        : `It is a template of image "${image}": give that image another \`name\`, or say \`template: "${name}"\` in it in place of url and checksum, so that machines are cloned from the one that is there`;
    return {
      detail: `the name ${name} is taken: ${guests}.`,
      remedy: `${remedy}; or, if the owner was renamed, set it back, or move its machines: pve-reconciler owner move.`,
    };
  },
  'vmid-taken': (guests, { vmid }) => ({
    detail: `VM ${vmid} already exists: ${guests}. It is not this machine.`,
    remedy: 'Give another vmid or none, or set `adopt: true` to take that guest over.',
  }),
  'vmid-taken-for-good': (guests, { vmid }) => ({
    detail: `VM ${vmid} already exists: ${guests}. It is not this machine.`,
    remedy:
      'Give another vmid or none: `adopt` takes over no template, no container and no machine that has an owner.',
  }),
};

/** The refusal of `adopt: true` for a guest that is not taken over. */
export function notAdoptable(finding: Finding, sought: Sought): Refused {
  const { why, remedy } = whyNotAdoptable(finding, sought);
  const detail = `${described(finding)} cannot be adopted: ${why}.`;
  return { kind: 'refused', why: 'not-adoptable', detail, remedy, changed: 'nothing' };
}

export function refusedBy(
  why: keyof typeof WORDS,
  findings: Finding[],
  sought: Sought,
  holder?: ListedGuest,
): Refused {
  const guests =
    findings.length > 0 ? findings.map(described).join(' and ') : holder ? plain(holder) : 'a guest';
  return { kind: 'refused', why, ...WORDS[why](guests, sought), changed: 'nothing' };
}

function described({ listed, config }: Finding): string {
  const mark = markOf(config);
  const owner = typeof mark === 'object' ? ` of owner ${mark.o}, machine ${mark.m}` : '';
  return `${plain(listed)}${owner}`;
}

/** One guest of the listing, in words. */
export function plain({ vmid, name, node, type, template }: ListedGuest): string {
  const kind = type === 'lxc' ? 'container' : template ? 'template' : 'guest';
  return `${kind} ${vmid}${name === undefined ? '' : ` (${name})`} on ${node}`;
}
