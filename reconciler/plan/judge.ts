import type { MachineSpec } from '../../spec';
import { untouched, type Change, type Effect, type Refusal } from '../action';
import { isBroughtBack } from '../guest/generation';
import { lossesOf } from '../guest/losses';
import { needsPassword } from '../machine/parts/cloud-init/cloud-init';
import { changedBy } from '../mark/last-wanted';
import { wantsDataIso } from '../machine/wanted-data-iso';
import { refusalOf, type Problem } from '../machine/problem';
import type { Scene } from '../machine/scene';
import type { ObservedGuest } from '../observed';
import { NO_STEPS, problemsOf, type PlannedSteps } from './problems';
import { destroyRefusals, usedRefusal, whyItStays } from './why-it-stays';

export interface Judgement {
  refusals: Refusal[];
  /** What the refusals, or the rebuild, are about. */
  changes: Change[];
  /** True: the spec allows to destroy and create again, and that is what it takes. */
  rebuilds: boolean;
}

/** What cannot be done to this guest, or only by making it anew. */
export function judge(scene: Scene, guest?: ObservedGuest, steps: PlannedSteps = NO_STEPS): Judgement {
  const { spec } = scene;
  const problems = problemsOf(scene, guest, steps);
  const isAllowed = (problem: Problem): boolean =>
    mayRebuild(scene) && isNamed(problem, spec) && isOfSpec(problem, scene);
  const others = [...secretMissing(scene), ...isTemplate(spec, guest)];
  const rebuilds = problems.length > 0 && problems.every(isAllowed) && others.length === 0;
  const held = rebuilds && guest !== undefined ? heldUp(scene, guest) : [];
  const refusals = rebuilds ? held : problems.map(problem => refusal(problem, scene));
  return {
    refusals: [...refusals, ...others],
    changes: changesOf(problems, rebuilds ? 'rebuild' : 'refused'),
    rebuilds: rebuilds && held.length === 0,
  };
}

/** Whether the spec allows a rebuild for this: each word of rebuildOn, and the image by a field of its own too. */
function isNamed({ rebuild }: Problem, { rebuildOn, onImageChange }: MachineSpec): boolean {
  if (rebuild === undefined) return false;
  return rebuildOn?.includes(rebuild) === true || (rebuild === 'image' && onImageChange === 'rebuild');
}

/** Nobody's work on a guest has it destroyed: only a spec that is another one than the last that was applied. */
function isOfSpec(problem: Problem, scene: Scene): boolean {
  return whoseChange(problem, scene) === 'spec';
}

/**
 * PVE draws a new vmgenid in a rollback and in a restore from a backup (qemu-server restore_update_config_line, as read). A
 * restore brings back the mark of then, too: what the spec wants since is no change of the spec.
 */
function whoseChange({ field, to = '' }: Problem, { mark, running }: Scene): keyof typeof WHO | 'spec' {
  if (isBroughtBack(mark?.lastGeneration, running)) return 'broughtBack';
  return changedBy(mark, field, to);
}

/** What is new, or was made by this run, is not destroyed to be made anew. */
function mayRebuild({ origin, context }: Scene): boolean {
  return origin === 'kept' && !context.done.isMade && !context.done.hasHealed;
}

export function changesOf(problems: readonly Problem[], effect: Effect): Change[] {
  return problems.map(({ field, from, to }) => ({ field, from, to, effect }));
}

function refusal(problem: Problem, scene: Scene): Refusal {
  const { detail, remedy } = problem;
  const [who, way] = ofRebuild(problem, scene);
  return { ...refusalOf(scene.spec.id, problem), detail: detail + who, remedy: remedy + way };
}

/** What is said of a machine that could be made anew: who changed it, where rebuildOn names that, and how it is done. */
function ofRebuild(problem: Problem, scene: Scene): [who: string, way: string] {
  const { field, from, to = '', rebuild } = problem;
  if (rebuild === undefined || !mayRebuild(scene)) return ['', ''];
  const by = whoseChange(problem, scene);
  if (by === 'spec') {
    const way = ` Or name it in rebuildOn: ["${rebuild}"]: then the machine is destroyed and created again, with its disks.`;
    return ['', isNamed(problem, scene.spec) ? '' : way];
  }
  const way = ` To have the machine destroyed and created again, with its disks: apply rebuildOn: ["${rebuild}"] first, with ${field} as it is (${from ?? 'unset'}); then set that to ${to}.`;
  return [isNamed(problem, scene.spec) ? WHO[by] : '', way];
}

const WHO = {
  broughtBack:
    ' The guest has another vmgenid than at its last apply, as after a rollback or a restore from a backup: what the spec wanted before that is no reason to make it anew.',
  somebody:
    ' The spec did not come to this, so somebody has changed the guest: it is not made anew for that.',
  unknown:
    ' Nothing tells whether the spec or the guest was changed, as its mark does not remember what was wanted before: it is not made anew for that.',
};

/** What keeps a guest from being destroyed to be made anew. */
function heldUp({ spec, context }: Scene, guest: ObservedGuest): Refusal[] {
  const own = ownNamed(spec, guest);
  if (own.length > 0) return own;
  const withKept = spec.keptVolumes === 'destroy';
  const stays = whyItStays(guest, undefined, { identity: context.wanted.identity, withKept });
  if (stays?.why === 'other-entry') return [isOfTerraform(spec.id, guest)];
  if (stays?.why === 'protected') return [isProtected(spec.id)];
  if (stays?.why === 'kept-volumes') return destroyRefusals(spec.id, guest, stays);
  const used = context.facts.ask('usedByOthers') ?? [];
  return used.length > 0 ? [usedRefusal(spec.id, guest, used)] : [];
}

/** A volume that the spec names, and that goes with the guest: what is made anew would not find it. */
function ownNamed({ id: machine, disks = [] }: MachineSpec, guest: ObservedGuest): Refusal[] {
  const lost = lossesOf(guest).volumes.map(({ volume }) => volume);
  return disks.flatMap(({ name, existingVolume: volume }) => {
    if (volume === undefined || !lost.includes(volume)) return [];
    const detail = `the machine would have to be made anew, and disk "${name}" names ${volume} as existingVolume: Proxmox deletes that with the guest.`;
    const remedy = `Give it to another guest first, and say its new name (qm disk move ${guest.vmid} SLOT --target-vmid OTHER --target-disk unused0); or remove existingVolume from the disk: then it goes, and the new machine gets a new one.`;
    return [{ machine, ...untouched('own-volume', detail, remedy) }];
  });
}

function isProtected(machine: string): Refusal {
  return {
    machine,
    why: 'protected',
    detail: 'The machine would have to be made anew, and it is protected.',
    remedy:
      'Set protection to false and apply that first, with the change undone that asks for it (such as a new image); then make it again.',
  };
}

/** A run without the entry would make it anew without one: the state would hold nothing then. */
function isOfTerraform(machine: string, { vmid, node }: ObservedGuest): Refusal {
  const detail = `guest ${vmid} on ${node} would have to be made anew, and a Terraform state holds it.`;
  const remedy =
    'Rebuild it there: change the program of that state, and apply it (cdktf deploy, terraform apply). Or undo the change here. What needs no rebuild may be changed here.';
  return { machine, ...untouched('other-entry', detail, remedy) };
}

/** Somebody made a template of it: it cannot run any more, and others may stand on its disks. */
function isTemplate({ id: machine, asTemplate }: MachineSpec, guest: ObservedGuest | undefined): Refusal[] {
  if (guest?.template !== true || asTemplate === true) return [];
  return [
    {
      machine,
      why: 'template',
      detail: `guest ${guest.vmid} on ${guest.node} is a template now.`,
      remedy: `${guest.mark?.becomesTemplate === true ? 'Set asTemplate back to true' : 'To keep it as one, set asTemplate: true'}. Else remove it by hand, or the last line of its description and its tag: then it is made anew.`,
    },
  ];
}

function secretMissing(scene: Scene): Refusal[] {
  const { spec, context } = scene;
  // what a spec only points to is read where it is needed
  if (!wantsDataIso(scene) && !needsPassword(scene)) return [];
  const { missing = [], password } = context.wanted.secrets;
  if (wantsDataIso(scene) ? missing.length === 0 : password !== undefined) return [];
  const why = wantsDataIso(scene)
    ? 'What it holds is compared with what the guest has, in every plan.'
    : 'The password is to be sent.';
  const remedy = 'Give what is named there, where plans and applies run, then run again.';
  return [{ machine: spec.id, ...untouched('secret-missing', `${missing.join('; ')}. ${why}`, remedy) }];
}
