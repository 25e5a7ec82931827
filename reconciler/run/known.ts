import type { Known } from '../plan/token';
import { evidenceOf, observedGuest } from '../observe/guest-facts';
import type { ListedGuest, ObservedMachine } from '../observed';
import { isTaggedAs } from '../mark/owner-tag';
import { sourceCandidates } from '../placement/source';
import { verdictOn } from '../mark/identity';
import { PveError, readConfig, type Pve } from '../pve';
import type { Wanted } from './wanted';
import { hasOwnData, type MachineSpec } from '../../spec';
import type { Action, MachinePlan } from '../action';
import { NOT_READ } from '../observe/cluster';
import { isAboutHa } from '../machine/parts/ha';
import { standsOnVolumes } from './plan-on-facts';
import { planMachine } from '../plan/plan';
import type { PlanContext } from '../machine/plan-context';

type There = Extract<Known, { found: 'running' }>;
type Absent = Extract<Known, { found: 'absent' }>;

/**
 * Reads one machine where Terraform's plan found it, and nothing else. Undefined: it is not there, not certainly ours,
 * or locked; then all is read, which tells why.
 */
export async function readThere(
  pve: Pve,
  { vmid, node, found, pool }: There,
  { identity }: Wanted,
): Promise<ObservedMachine | undefined> {
  try {
    const config = await readConfig(pve, { vmid, node });
    if (verdictOn(evidenceOf(config, identity), identity) !== 'ours') return undefined;
    const guest = observedGuest({ vmid, node, power: found, pool, haManaged: false }, config);
    if (guest.lock !== undefined || guest.template) return undefined;
    return { kind: 'present', guest, unfinished: false };
  } catch (error) {
    // moved, gone, out of reach or hidden
    if (error instanceof PveError && error.kind !== 'unauthenticated') return undefined;
    throw error;
  }
}

/**
 * Whether a listing shows that a machine is still to be made as the plan said: nothing has its tag, its name or its
 * id, and what it is cloned from is where it was. An earlier run of it that was cut short is known to the plan; one
 * that has the same plan takes the same id; a run at the same time is met as a rival (ADR 0012).
 */
export function isStillAbsent(
  { vmid, source }: Absent,
  { spec, identity }: Wanted,
  guests: readonly ListedGuest[],
): boolean {
  const isOurs = isTaggedAs(identity);
  const name = spec.name ?? spec.id;
  const isInTheWay = (guest: ListedGuest): boolean =>
    guest.vmid === vmid || guest.name === name || isOurs(guest);
  // an empty list is never proof of absence: without the privilege Proxmox lists nothing
  if (guests.length === 0 || guests.some(isInTheWay) || spec.image?.machine !== undefined) return false;
  const sources = sourceCandidates(spec, guests, identity.owner);
  if (!('guests' in sources)) return false;
  if (source === undefined) return sources.guests.length === 0;
  const there = sources.guests.find(guest => guest.vmid === source.vmid && guest.node === source.node);
  return there?.template === true && there.lock === undefined;
}

/** What is done to a machine that is there without knowing more than its configuration. */
const TO_WHAT_IS_THERE: readonly Action['kind'][] = ['configure', 'resize'];
/** And to one that this run makes: nobody else has to do with it yet. */
const TO_WHAT_IS_MADE: readonly Action['kind'][] = [
  ...TO_WHAT_IS_THERE,
  'create',
  'clone',
  'power',
  'regenerate-cloud-init',
  'make-template',
];

/**
 * The plan of a machine where nothing but the machine was read: bridges, storages and what the caller may do are known
 * from the plan that Terraform showed. Undefined: it takes more to plan, or to refuse. Pure.
 */
export function planKnown(
  spec: MachineSpec,
  have: ObservedMachine,
  context: PlanContext,
  isMade: boolean,
): MachinePlan | undefined {
  const guest = 'guest' in have ? have.guest : undefined;
  // its ISO is on a storage, and anybody may have removed it
  if (hasOwnData(spec.cloudInit) || guest?.mark?.f !== undefined) return undefined;
  // HA is asked too
  if (isAboutHa(spec)) return undefined;
  const plan = planMachine(spec, have, NOT_READ, context);
  const kinds = isMade ? TO_WHAT_IS_MADE : TO_WHAT_IS_THERE;
  const isEnough = plan.refusals.length === 0 && plan.actions.every(({ kind }) => kinds.includes(kind));
  return isEnough && !standsOnVolumes(plan, guest) ? plan : undefined;
}
