import { untouched, type Refusal } from '../action';
import type { LostVolume } from '../../spec';
import { keptVolumes } from '../guest/losses';
import type { Identity } from '../mark/identity';
import { otherSourceOfFormer } from '../mark/former-id';
import { destroyThereWords, otherKubernetes } from '../mark/kubernetes-source';
import type { ObservedGuest } from '../observed';

/** What keeps a guest from being destroyed. */
export type Stays =
  | { why: 'protected' | 'template' | 'other-entry' }
  /** Absent: its mark names none any more. */
  | { why: 'other-source'; source?: string }
  | { why: 'other-kubernetes' | 'other-writer'; source: string }
  /** Only an id of before finds it: the machine that its mark names may be of another source. */
  | { why: 'former-id'; source: string; machine: string | undefined }
  | { why: 'kept-volumes'; volumes: LostVolume[] }
  | { why: 'denied'; refusals: Refusal[] };

/** Who destroys a guest, and how far. */
export interface Destroyer {
  /** Absent: not known. What Terraform made is destroyed by its state alone. */
  identity?: Pick<Identity, 'entry' | 'isOfTerraform' | 'writtenBy' | 'onlyOf' | 'sources'> &
    Partial<Pick<Identity, 'ids'>>;
  /** Volumes that were kept go with it. Absent: where its mark says so. */
  withKept?: boolean | undefined;
}

/**
 * Why a guest of ours may not be destroyed, whoever asks: a destroy, a rebuild, a review. Undefined: it may.
 * `denied`: what the caller may not do of it; asked only where nothing else speaks against it sooner.
 * Pure.
 */
export function whyItStays(
  guest: Pick<ObservedGuest, 'vmid' | 'current' | 'pending' | 'template' | 'mark'>,
  denied: () => Refusal[] = () => [],
  { identity, withKept }: Destroyer = {},
): Stays | undefined {
  const { current, template, mark } = guest;
  const hasNoEntry = identity !== undefined && identity.entry === undefined && !identity.isOfTerraform;
  if (hasNoEntry && mark?.entry !== undefined) return { why: 'other-entry' };
  const expected = identity?.writtenBy;
  if (expected !== undefined && (mark?.source ?? null) !== expected)
    return { why: 'other-source', ...(mark?.source !== undefined && { source: mark.source }) };
  const other = identity?.sources && otherKubernetes(mark, identity.sources);
  if (other !== undefined) return { why: 'other-kubernetes', source: other };
  const formerly = otherOfFormer(mark, identity);
  if (formerly !== undefined) return { why: 'former-id', source: formerly, machine: mark?.machine };
  const writer = mark?.source;
  if (writer !== undefined && identity?.onlyOf?.includes(writer) === false)
    return { why: 'other-writer', source: writer };
  if (Number(current['protection'] ?? 0) === 1) return { why: 'protected' };
  const volumes = (withKept ?? mark?.takesKeptVolumes === true) ? [] : keptVolumes(guest);
  if (volumes.length > 0) return { why: 'kept-volumes', volumes };
  const refusals = denied();
  if (refusals.length > 0) return { why: 'denied', refusals };
  // what was made to be a template goes like any other machine
  return template && mark?.becomesTemplate === undefined ? { why: 'template' } : undefined;
}

/** Who was asked with the name of that source has said that it is meant. */
function otherOfFormer(mark: ObservedGuest['mark'], identity: Destroyer['identity']): string | undefined {
  if (identity?.ids === undefined || identity.sources === undefined) return undefined;
  return identity.writtenBy === undefined
    ? otherSourceOfFormer(mark, identity.ids, identity.sources)
    : undefined;
}

/** What decides which ways out of a refused destroy there are. */
interface Asked {
  /** Of a template: the linked clones of it that are known. */
  clones?: readonly number[] | undefined;
  /** Who deleted a resource asks: its spec is not applied any more, but its word Retain counts. */
  isOfResource?: boolean | undefined;
}

/** The same as refusals of its destroy. Pure. */
export function destroyRefusals(
  machine: string,
  guest: Named,
  stays: Stays,
  { clones = [], isOfResource = false }: Asked = {},
): Refusal[] {
  if (stays.why === 'denied') return stays.refusals;
  const place = placeOf(guest);
  const standing = clones.length === 0 ? '' : `, and there are linked clones of it: ${clones.join(', ')}`;
  const isOthers = ['other-kubernetes', 'other-writer', 'former-id'].includes(stays.why);
  const other = isOthers && 'source' in stays ? stays.source : '';
  const told = {
    'other-entry': { detail: `${place} belongs to a Terraform state.`, remedy: 'Destroy it there.' },
    'other-source': {
      detail: `${place} was written since it was looked at: ${nowOf(stays)}.`,
      remedy: 'See what is left now: pve-reconciler gc, with the same --spec or --manifests.',
    },
    'other-kubernetes': {
      detail: `${place} is held by source "${other}", which is another Kubernetes.`,
      remedy: destroyThereWords(other),
    },
    'other-writer': {
      detail: `source "${other}" wrote ${place} last, and may want it still. No desired state given here names it, and --yes alone is not enough.`,
      remedy: `Where it is meant: the same line with --source '${other}'.`,
    },
    'former-id': {
      detail: `only an id that ${machine} had before finds ${place}: its mark names machine ${'machine' in stays ? stays.machine : ''}, and source "${other}" wrote it last and may want it still.`,
      remedy: `Where it is that source's: take that id out of formerIds. Where it is meant all the same: pve-reconciler destroy ${machine}, with --source '${other}'.`,
    },
    protected: {
      detail: `${place} is protected.`,
      remedy: isOfResource ? ofResource(clearText('Clear', guest)) : unprotectText(machine, guest),
    },
    template: { detail: `${place} is a template now${standing}.`, remedy: 'Remove it by hand.' },
    'kept-volumes':
      stays.why === 'kept-volumes' ? keptText(machine, guest, stays.volumes, isOfResource) : NONE,
  };
  const { detail, remedy } = told[stays.why];
  return [{ machine, ...untouched(stays.why, detail, remedy) }];
}

function nowOf(stays: Stays): string {
  return 'source' in stays
    ? `its mark names source "${stays.source}" now`
    : 'its mark names no source any more';
}

type Named = Pick<ObservedGuest, 'vmid' | 'node'> & Partial<Pick<ObservedGuest, 'mark'>>;

const NONE = { detail: '', remedy: '' };

function placeOf({ vmid, node }: Named): string {
  return `guest ${vmid} on ${node}`;
}

function clearText(clear: 'Clear' | 'clear', { vmid, node }: Named): string {
  return `${clear} it on ${node} (qm set ${vmid} --protection 0).`;
}

function unprotectText(machine: string, guest: Named): string {
  return `Set protection to false and apply that first; of a machine that left the desired state ${clearText('clear', guest)}${aloneText(machine, guest)}`;
}

/** The ways out of who deleted a resource. */
function ofResource(way: string): string {
  return `The spec of a deleted resource is not applied. ${way} Or keep the guest: set spec.deletionPolicy to Retain. It stays as it is, without our mark, and the resource goes.`;
}

/** Of what Terraform holds: a whole apply would make anew what a destroy has removed already (test/e2e/terraform/removal). */
function aloneText(machine: string, { mark }: Named): string {
  if (mark?.entry === undefined) return '';
  return ` Where other machines of that destroy are gone already, apply this one alone: terraform apply -target=null_resource.machine_CLUSTER_${machine} of a stack, -target='module.CALL.null_resource.machine["${machine}"]' of the module.`;
}

/** What was kept, and the ways out: each is tried by a test (test/runs/destroy/ways-out.test.ts). */
function keptText(
  machine: string,
  guest: Named,
  volumes: readonly LostVolume[],
  isOfResource: boolean,
): { detail: string; remedy: string } {
  const { vmid } = guest;
  const what = volumes.length === 1 ? 'holds a volume that was kept' : 'holds volumes that were kept';
  const detail = `${placeOf(guest)} ${what}: ${volumes.map(({ slot, volume }) => `${slot} ${volume}`).join(', ')}. Proxmox deletes it with the guest.`;
  const moves = volumes.map(
    ({ slot }, at) => `qm disk move ${vmid} ${slot} --target-vmid OTHER --target-disk unused${at}`,
  );
  const move = `Give it to another guest of the same node, into slots that are free there (${moves.join('; ')})`;
  if (isOfResource) {
    const unlink = volumes.map(({ slot }) => `qm disk unlink ${vmid} --idlist ${slot} --force 1`);
    return {
      detail,
      remedy: ofResource(`${move}; or delete it where nobody needs it (${unlink.join('; ')}).`),
    };
  }
  const alone = aloneText(machine, guest);
  const remedy = [
    move,
    `or use it again: name it as existingVolume of a disk, and apply; it is then a disk of this machine`,
    alone === ''
      ? `or let it go: keptVolumes: "destroy", applied first, or --with-kept-volumes of destroy and gc.`
      : `or let it go: keptVolumes: "destroy", applied first.${alone}`,
  ];
  return { detail, remedy: remedy.join('; ') };
}

/** Why a guest stays whose disk another guest uses. */
export function usedRefusal(
  machine: string,
  { vmid, node }: Pick<ObservedGuest, 'vmid' | 'node'>,
  used: readonly { volume: string; guest: string }[],
): Refusal {
  const named = used.map(({ volume, guest }) => `${volume} by ${guest}`).join(', ');
  const detail = `another guest uses what goes with guest ${vmid} on ${node}: ${named}.`;
  const remedy = `Detach it there first: it is this guest's, and goes with it. Where that guest is to keep it: detach it there, detach it here too, give it to that guest (qm disk move ${vmid} SLOT --target-vmid OTHER --target-disk unusedN, where N is free there; qm config ${vmid} tells the slot), and attach it there by its new name.`;
  return { machine, ...untouched('volume-used', detail, remedy) };
}
