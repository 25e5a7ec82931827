import { asWord } from '../guest/as-word';
import { imageOfTemplate } from '../mark/image-words';
import { isOfKubernetes } from '../mark/kubernetes-source';
import { descriptionOf, markOf, observedGuest } from './guest';
import type { Mark } from '../mark/mark';
import {
  type ListedGuest,
  type LostMark,
  type ObservedCluster,
  type ObservedGuest,
  type ObservedMachine,
  sightRemedy,
} from '../observed';
import type { Finding, Sought } from './sought';

type Refused = Extract<ObservedMachine, { kind: 'refused' }>;
type Reason =
  | 'no-sight'
  | 'hidden'
  | 'two-guests'
  | 'former-id'
  | 'other-entry'
  | 'damaged-mark'
  | 'later-mark'
  | 'lost-mark'
  | 'lost-mark-of-entry'
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
  const guest = observedGuest(listed, config);
  if (verdict !== 'edited') return { kind: 'present', guest, unfinished: verdict === 'unfinished' };
  return { ...unmarked({ listed, config }), kind: 'present', unfinished: false };
}

/** A guest whose mark tells nothing, or nothing true: nothing of it is believed. */
export function unmarked({ listed, config }: Pick<Finding, 'listed' | 'config'>): {
  guest: ObservedGuest;
  lostMark: LostMark;
} {
  const { mark, isDamaged } = descriptionOf(config);
  const lostMark = isDamaged ? 'damaged' : mark === undefined ? 'gone' : 'untrue';
  return { guest: { ...observedGuest(listed, config), mark: undefined, cloudInitStale: false }, lostMark };
}

/** What makes one machine of two guests that both prove to be it: the mark alone would be written again. */
export const ONLY_ONE =
  'Decide which one it is. Of the other one remove the tag pvr-… and, in its notes, the line that begins with <!-- pvr:.';

/** The marks are right: formerIds names a machine that is still there. */
const TWO_MACHINES =
  'They are two machines, each with its own mark: leave both marks. Take the id of the other one out of formerIds. To swap two ids, first rename one to a third id, and apply that.';

interface Words {
  detail: string;
  remedy: string;
}

/** The wording of each reason not to touch what was found. */
const WORDS: Record<
  Exclude<Reason, 'no-sight' | 'not-adoptable'>,
  (guests: string, sought: Sought, uuids: string, marks: readonly Mark[]) => Words
> = {
  hidden: guests => ({
    detail: `its node lists ${guests}, but returns no configuration. No second machine is made while this one may exist.`,
    remedy:
      'Look at it on its node (`qm config`), and at what stands between here and the API. Then run again.',
  }),
  'two-guests': (guests, _sought, _uuids, marks) => ({
    detail: `${guests} both prove to be this machine.`,
    remedy: new Set(marks.map(({ machine }) => machine)).size > 1 ? TWO_MACHINES : ONLY_ONE,
  }),
  'former-id': (guests, { identity }, _uuids, [mark]) => ({
    detail: `only an id that ${identity.ids[0]} had before finds ${guests}, and source "${mark?.source}" wrote that one last: it may be a machine of its own.`,
    remedy: `If it is: take "${mark?.machine}" out of formerIds of ${identity.ids[0]}; this machine is then made. ${isOfKubernetes(mark?.source) ? 'A Kubernetes holds that guest: what is asked for there counts.' : `If it is this machine: run once as that source (PVE_SOURCE='${mark?.source}'), while no daemon of that name runs with --prune.`}`,
  }),
  'other-entry': (guests, { identity }, _uuids, [mark]) => ({
    detail:
      mark?.entry === undefined
        ? `no Terraform state holds ${guests}: its mark names none. To destroy it: pve-reconciler destroy ${asWord(identity.ids[0], 'ID')} --spec FILE.`
        : `${guests} belongs to another Terraform state of the same owner.`,
    remedy: `If this is another program, workspace or call, or if two calls in this very state have this owner: give each an owner of its own, or the machine another id. Else use that state, or its backup (terraform.tfstate.backup). Only if both are lost: pve-reconciler release ${asWord(identity.ids[0], 'ID')} --owner ${asWord(identity.owner, 'OWNER')}, then set \`adopt: true\` with its vmid.`,
  }),
  'damaged-mark': guests => ({
    detail: `${guests} carries our tag, but our mark in its notes cannot be read, and its uuid does not prove whose it is.`,
    remedy:
      'Restore the line that begins with <!-- pvr:; or remove line and tag and set `adopt: true` with its vmid.',
  }),
  'later-mark': guests => ({
    detail: `the mark of ${guests} was written by a later release, and this one does not know what it says.`,
    remedy: 'Use the release that wrote it, or a later one, on every machine that runs plans and applies.',
  }),
  'lost-mark': guests => ({
    detail: `the mark of ${guests} was edited away. Its tag and its uuid still prove it, and an apply writes the mark again; nothing else is done to it before.`,
    remedy:
      'Run apply (terraform apply, cdktf deploy) or reconcile with this machine in it, then this again.',
  }),
  'lost-mark-of-entry': guests => ({
    detail: `the mark of ${guests} was edited away. Its uuid says that another Terraform state made it, or none did: which one holds it, only the mark knew.`,
    remedy:
      'Apply the program of the state that made it: that writes the mark again. Or set `adopt: true` with its vmid to take it over.',
  }),
  copy: (guests, _, uuids) => ({
    detail: `the machine is not there, and ${guests} was cloned from it, or its uuid was changed by hand: it carries the mark with another uuid.`,
    remedy: `If it is the machine itself, give it its uuid back${uuids}, or remove the line that begins with <!-- pvr: from its notes and set \`adopt: true\` with its vmid. If it is a clone that is to stay, remove that line and its tag pvr-…. Only a clone that nobody needs is deleted by hand.`,
  }),
  tagged: guests => ({
    detail: `${guests} carries our tag, and no mark of this machine: nothing else proves whose it is.`,
    remedy:
      'If it is this machine, remove the line that begins with <!-- pvr: from its notes, where there is one, and set `adopt: true` with its vmid; else remove its tag pvr-….',
  }),
  'other-owner': (guests, { name, identity }, _uuids, marks) => {
    const image = imageOfTemplate(identity.ids[0]);
    const another =
      image === undefined
        ? 'Give this machine another `name`'
        : `It is a template of image "${image}": give that image another \`name\`, or say \`template: "${name}"\` in it in place of url and checksum, so that machines are cloned from the one that is there`;
    // a renamed owner leaves the id of a machine: under another id it is somebody else's, and is not to be moved
    const same = marks.find(({ machine }) => identity.ids.includes(machine));
    const remedy =
      same === undefined
        ? `${another}.`
        : same.entry === undefined
          ? `${another}; or, if its owner was renamed, set it back, or move this machine: ${moveCommand(same, identity.owner)}.`
          : `${another}; or, if its owner was renamed, set it back: a Terraform state holds it, and keeps the owner ${same.owner}.`;
    return { detail: `the name ${name} is taken: ${guests}.`, remedy };
  },
  'vmid-taken': (guests, { vmid }) => ({
    detail: `VM ${vmid} already exists: ${guests}. It is not this machine.`,
    remedy:
      'Give another vmid or none, or set `adopt: true`, with the `name` that it has, to take that guest over.',
  }),
  'vmid-taken-for-good': (guests, { vmid }) => ({
    detail: `VM ${vmid} already exists: ${guests}. It is not this machine.`,
    remedy:
      'Give another vmid or none: `adopt` takes over no template, no container and no machine that has an owner.',
  }),
};

/** Of this machine alone: the others of its owner may be wanted as they are. */
export function moveCommand({ owner, machine }: Pick<Mark, 'owner' | 'machine'>, to: string): string {
  const words = [asWord(owner, 'OLD'), asWord(to, 'NEW'), asWord(machine, 'ID')];
  return `pve-reconciler owner move ${words.join(' ')}`;
}

/** The refusal where the caller may see no guest. */
export function noSight(cluster: ObservedCluster): Refused {
  const detail = 'no guest of the cluster may be seen, so that nobody can tell whether this one is there.';
  return { kind: 'refused', why: 'no-sight', detail, remedy: sightRemedy(cluster), changed: 'nothing' };
}

export function refusedBy(
  why: keyof typeof WORDS,
  findings: Finding[],
  sought: Sought,
  holder?: ListedGuest,
): Refused {
  const guests =
    findings.length > 0 ? findings.map(described).join(' and ') : holder ? plain(holder) : 'a guest';
  const uuids = findings.map(uuidCommand).join('');
  return {
    kind: 'refused',
    why,
    ...WORDS[why](
      guests,
      sought,
      uuids,
      findings.flatMap(({ config }) => markOf(config) ?? []),
    ),
    changed: 'nothing',
  };
}

/** How a guest gets back the uuid that its mark names. Tried by test/runs/lost-mark/refused.test.ts. */
function uuidCommand({ listed, config }: Finding): string {
  const mark = markOf(config);
  if (mark === undefined || !/^[\da-f-]{36}$/i.test(mark.uuid)) return '';
  const place = `on ${listed.node}: `;
  // PVE writes the line as a whole: other texts in it, such as a serial number, would go
  const isAlone = /^uuid=[^,]*$/.test(config.current['smbios1'] ?? 'uuid=');
  if (!isAlone) return ` (${place}options of VM ${listed.vmid}, SMBIOS settings, UUID ${mark.uuid})`;
  return ` (${place}qm set ${listed.vmid} --smbios1 uuid=${mark.uuid})`;
}

export function described({ listed, config }: Finding): string {
  const mark = markOf(config);
  const owner = mark === undefined ? '' : ` of owner ${mark.owner}, machine ${mark.machine}`;
  return `${plain(listed)}${owner}`;
}

/** One guest of the listing, in words. */
export function plain({ vmid, name, node, type, template }: ListedGuest): string {
  const kind = type === 'lxc' ? 'container' : template ? 'template' : 'guest';
  return `${kind} ${vmid}${name === undefined ? '' : ` (${name})`} on ${node}`;
}
