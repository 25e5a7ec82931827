import type { MachineSpec } from '../../spec';
import {
  emptyPlan,
  untouched,
  warned,
  type Action,
  type Change,
  type MachinePlan,
  type Refusal,
} from '../action';
import { nextConfiguration } from '../guest/configuration';
import { generationOf } from '../guest/generation';
import { losesNothing, lostByForce } from '../guest/losses';
import { keepOrLetGo } from '../guest/take-back';
import type { PlanContext } from '../machine/plan-context';
import { passwordVersionOf } from '../machine/parts/cloud-init/cloud-init';
import { sceneOf } from '../machine/scene';
import { writeDescription } from '../mark/description';
import type { Mark } from '../mark/mark';
import type { LostMark, ObservedGuest } from '../observed';
import { bringsPending } from './brings-pending';
import { planGuest } from './guest';
import { lossesList } from './losses-text';
import { markFor } from './mark-content';
import { knownDisks, knownNetworks } from '../machine/known-devices';

/**
 * The plan of a guest whose mark was edited away. Tag and uuid prove it; or it is adopted by its number. The mark is written
 * again first, in a write that holds nothing else but the notes as they are; then the rest is planned as ever. What only the
 * mark knew is taken on the safe side: what was done once is not done again, and what is not known is not touched. Pure.
 */
export function planHealed(
  spec: MachineSpec,
  { guest, lostMark }: { guest: ObservedGuest; lostMark: LostMark },
  context: PlanContext,
): MachinePlan {
  const mark = markAgain(spec, guest, context);
  if ('doubtful' in mark)
    return {
      ...emptyPlan(spec.id),
      refusals: [doubtful(spec.id, guest, mark.doubtful, WAYS_OUT[mark.kind])],
    };
  const known = { ...guest, mark };
  const plan = planGuest(spec, known, 'kept', { ...context, done: { ...context.done, hasHealed: true } });
  if (plan.refusals.length > 0) return { ...plan, refusals: plan.refusals.map(saidFirst) };
  const forced = goingByForce(spec.id, guest, plan);
  if (forced !== undefined) return { ...plan, actions: [], refusals: [forced] };
  const lost = takenForGood(plan);
  if (lost !== undefined) return { ...plan, actions: [], refusals: [tooMuch(spec.id, guest, lost)] };
  const write = writeOf(writeDescription(guest.description, mark));
  const change: Change = { field: 'mark', from: SAID[lostMark], to: 'written again', effect: 'live' };
  const told = [
    {
      about: 'mark',
      text: [TOLD[lostMark], takenAsDone(spec), takenOver(spec, guest, context)].filter(Boolean).join(' '),
    },
  ];
  return {
    ...plan,
    changes: [change, ...plan.changes],
    actions: [write, ...plan.actions],
    ...warned(told, plan.warnings),
    heals: true,
  };
}

function writeOf(description: string): Action {
  return { kind: 'configure', set: { description }, delete: [], slow: false, verify: false };
}

/** Even the mark cannot be written again where that brings what somebody left waiting, and a volume goes by it. */
function goingByForce(machine: string, guest: ObservedGuest, plan: MachinePlan): Refusal | undefined {
  const lost = lostByForce(guest);
  const brings = bringsPending({ ...plan, actions: [writeOf(''), ...plan.actions] }, guest);
  if (lost.length === 0 || brings === undefined) return undefined;
  const { vmid, node } = guest;
  const volumes = lossesList({ volumes: lost, snapshots: [] });
  const detail = `the mark of guest ${vmid} on ${node} was edited away, and writing it again would delete ${volumes} for good: somebody has left that waiting in Proxmox. ${brings} brings it.`;
  return { machine, ...untouched('lost-mark-and-more', detail, keepOrLetGo(guest, lost)) };
}

/** A rebuild that the spec allows would be reported as refused, and nothing would say why. */
function saidFirst(refusal: Refusal): Refusal {
  const { detail } = refusal;
  const why =
    'Its mark was edited away: until it is written again, which an apply does where nothing else is refused, it is not made anew.';
  return { ...refusal, detail: `${detail} ${why}` };
}

const SAID: Record<LostMark, string> = {
  gone: 'edited away',
  damaged: 'not readable',
  untrue: 'not true of this guest',
};

const TOLD: Record<LostMark, string> = {
  gone: 'the mark was edited away; it is written again.',
  damaged: 'the mark was edited, and cannot be read any more; it is written again.',
  untrue: 'the mark was edited, and is not true of this guest; it is written again.',
};

/** A plan of Terraform knows no entry, and so not whether another state holds the guest: the apply adopts it all the same. */
function takenOver({ adopt, vmid }: MachineSpec, guest: ObservedGuest, { wanted }: PlanContext): string {
  const { isOfTerraform, entry } = wanted.identity;
  const isPlan = isOfTerraform === true && entry === undefined;
  if (!isPlan || adopt !== true || vmid !== guest.vmid) return '';
  return `As adopt: true names VM ${vmid}, the apply takes it over also from another Terraform state that has made it: where one still holds it, take this machine out of the code before you apply.`;
}

/** What a mark says is done stands in the spec, too: whether it was, nobody knows any more. */
function takenAsDone(spec: MachineSpec): string {
  const version = passwordVersionOf(spec);
  const done = [
    ...(spec.revertTo === undefined ? [] : [`revertTo "${spec.revertTo}"`]),
    ...(version === undefined ? [] : [`passwordVersion ${version}`]),
  ];
  if (done.length === 0) return '';
  return `What it remembered is taken as done: ${done.join(', ')}. To have it done again, give it another value.`;
}

type Again = Mark | { kind: keyof typeof WAYS_OUT; doubtful: readonly string[] };

/** The mark as the spec and the guest tell it. What they do not tell is left out of it. */
function markAgain(spec: MachineSpec, guest: ObservedGuest, context: PlanContext): Again {
  const config = { ...guest.current, ...nextConfiguration(guest.current, guest.pending) };
  const disks = knownDisks(spec, config);
  if ('doubtful' in disks) return { kind: 'disks', ...disks };
  const networks = knownNetworks(spec, config, context);
  if ('doubtful' in networks) return { kind: 'networks', ...networks };
  const unknown = { ...guest, mark: undefined };
  // as adopted: the uuid that it has stays
  const scene = sceneOf(spec, unknown, 'adopted', context);
  const password = passwordVersionOf(spec);
  return {
    ...markFor(scene),
    disks: spec.disks && disks.slots,
    networks: spec.networks && networks.slots,
    passwordVersion: password,
    passwordGeneration: password === undefined ? undefined : generationOf(guest.current),
    revertedTo: spec.revertTo,
  };
}

const WAYS_OUT = {
  disks: {
    which: 'disk',
    remedy:
      'Say it in the spec: give each of these disks the slot that it has (slot: "scsi1"), and apply. The slot may go again after that.',
  },
  networks: {
    which: 'card',
    remedy:
      'Say it in the spec: give each of these networks the MAC address that it has (macAddress), and apply. It may go again after that.',
  },
} as const;

function doubtful(
  machine: string,
  { vmid, node }: ObservedGuest,
  names: readonly string[],
  { which, remedy }: (typeof WAYS_OUT)[keyof typeof WAYS_OUT],
): Refusal {
  const detail = `the mark of guest ${vmid} on ${node} was edited away, and only the mark knew which ${which} of it is ${names.map(name => `"${name}"`).join(', ')}.`;
  return { machine, ...untouched('which-device', detail, remedy) };
}

/** What a plan takes for good, in words. Undefined: nothing. */
function takenForGood({ actions, losses }: MachinePlan): string | undefined {
  if (actions.some(({ kind }) => kind === 'roll-back')) return 'what was written since a snapshot';
  if (losses !== undefined && !losesNothing(losses)) return lossesList(losses);
  return actions.some(({ kind }) => TAKES.includes(kind)) ? 'a snapshot or a file' : undefined;
}

const TAKES: readonly Action['kind'][] = ['destroy', 'delete-snapshot', 'remove-iso'];

/** Nothing is lost for good on the strength of a mark that is yet to be written. */
function tooMuch(machine: string, { vmid, node }: ObservedGuest, lost: string): Refusal {
  const detail = `the mark of guest ${vmid} on ${node} was edited away, and what else is to be done takes ${lost} for good.`;
  const remedy =
    'Undo that in the spec and apply: then the mark is written again. After that, ask for it once more.';
  return { machine, ...untouched('lost-mark-and-more', detail, remedy) };
}
