import { isRecord, parseMachine, type ClusterSpec, type MachineSpec } from '../../../spec';
import { type MachinePlan, writtenKeys } from '../../action';
import { baseOf } from '../../guest/base-volume';
import { Facts } from '../../machine/facts';
import type { ObservedCluster, ObservedGuest } from '../../observed';
import { sceneOf } from '../../machine/scene';
import { planMachine } from '../../plan/plan';
import { nothingDone, type PlanContext, type WantedOfPlan } from '../../machine/plan-context';
import { draftOf, type Called } from './guest-draft';
import { less, type Json } from './said';
import { unmanagedIn } from './unmanaged';
import { pathOf, without } from './without';

/** A guest as a machine of the spec. */
export interface AdoptedMachine {
  /** As people write it. */
  json: Json;
  spec: MachineSpec;
  /** What the guest has and the machine does not say, by key: it stays as it is. */
  unmanaged: string[];
  /** Fields whose values another tool's state told: Proxmox does not hold them. */
  fromState?: readonly string[];
  /** What its program could not say, and why. What the model has no field for is in `unmanaged` alone. */
  unsaid?: readonly Unsaid[];
  /** The template whose disk it uses as its base: a linked clone. */
  madeFrom?: number;
}

/** What stays as it is because a program cannot say it. */
interface Unsaid {
  field: string;
  why: string;
}

/** For whom guests are adopted, and where. */
export interface AdoptedFor {
  owner: string;
  cluster: ClusterSpec;
  /** For a guest that has no smbios uuid. */
  uuid: string;
}

/**
 * Says a guest in the words of the spec, so that adopting it changes nothing but its mark. What the model does not take
 * is left out and named. Throws where a difference is left: then the model reads and writes something differently.
 */
export function machineOf(guest: ObservedGuest, called: Called, around: AdoptedFor): AdoptedMachine {
  let json = draftOf(guest, called);
  const unsaid: Unsaid[] = [];
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const fault = faultOf(json, guest, around);
    if ('spec' in fault) {
      const scene = sceneOf(fault.spec, guest, 'adopted', contextOf(fault.spec, around));
      const madeFrom = baseOf(guest.current);
      return {
        ...{ json, spec: fault.spec, unmanaged: unmanagedIn(scene), unsaid },
        ...(madeFrom !== undefined && { madeFrom }),
      };
    }
    const shorter = without(json, fault.path);
    if (shorter === undefined) throw new Error(fault.says);
    json = withoutLostBoot(shorter);
    unsaid.push({ field: fault.path.join('.'), why: fault.reason });
  }
  throw new Error(`more than ${MOST_TRIES} fields of it are not in the model`);
}

/** The same machine with what only the state of another tool tells, as far as adopting it still changes nothing but its mark. */
export function withIntent(
  machine: AdoptedMachine,
  intent: Json,
  guest: ObservedGuest,
  around: AdoptedFor,
): AdoptedMachine {
  let now = machine;
  for (const [field, value] of Object.entries(intent)) {
    const json = { ...now.json, [field]: value };
    const spec = specOf(json, guest, around);
    if (spec) now = { ...now, json, spec, fromState: [...(now.fromState ?? []), field] };
  }
  return now;
}

function specOf(json: Json, guest: ObservedGuest, around: AdoptedFor): MachineSpec | undefined {
  try {
    const fault = faultOf(json, guest, around);
    return 'spec' in fault ? fault.spec : undefined;
  } catch {
    // it would change the guest
    return undefined;
  }
}

const MOST_TRIES = 100;

interface Fault {
  path: readonly PropertyKey[];
  says: string;
  /** The same without the value. */
  reason: string;
}

/** Without a boot order that names a device which could not be said: the guest's own stays as it is. */
function withoutLostBoot(json: Json): Json {
  const { bootOrder, disks, networks } = json;
  const names = [disks, networks].flatMap(list => (Array.isArray(list) ? list : [])).map(nameOf);
  const isLost = (word: unknown): boolean => !names.includes(word) && !SLOT.test(String(word));
  return Array.isArray(bootOrder) && bootOrder.some(isLost) ? less(json, ['bootOrder']) : json;
}

const SLOT = /^(?:ide|sata|scsi|virtio|net|hostpci|usb)\d+$/;

function nameOf(device: unknown): unknown {
  return isRecord(device) ? device['name'] : undefined;
}

/** The first thing that the spec or the plan does not take. */
function faultOf(json: Json, guest: ObservedGuest, around: AdoptedFor): Fault | { spec: MachineSpec } {
  const parsed = parseMachine(json, around.cluster);
  if (!parsed.ok) {
    const [problem] = parsed.problems;
    if (problem === undefined) throw new Error('the spec does not take it, and does not say why');
    const said = problem.value === undefined ? '' : ` ${problem.value}`;
    const { reason } = problem;
    return { path: problem.at.slice(2), says: `${inMachine(problem.path)}:${said} ${reason}`, reason };
  }
  const plan = planMachine(parsed.value, { kind: 'adoptable', guest }, contextOf(parsed.value, around));
  const [refusal] = plan.refusals;
  const refused = plan.changes.find(({ effect }) => effect === 'refused');
  if (refusal && refused)
    return {
      path: pathOf(json, refused.field),
      says: `${refused.field}: ${refusal.detail}`,
      reason: refusal.detail,
    };
  const more = beyondMark(plan);
  if (more.length > 0) throw new Error(`adopting it would change ${more.join(', ')}`);
  return { spec: parsed.value };
}

function inMachine(path: string): string {
  return path.replace(/^machines\[[^\]]*\]\.?/, '');
}

/** A plan's context, where nothing but the guest is read; and nothing of the cluster, where it is not given. */
export function contextOf(
  { id }: Pick<MachineSpec, 'id'>,
  { owner, cluster, uuid }: AdoptedFor,
  read?: ObservedCluster,
): PlanContext {
  const wanted: WantedOfPlan = { identity: { owner, ids: [id] }, secrets: {} };
  return { wanted, done: nothingDone(uuid), clusterSpec: cluster, facts: new Facts(read) };
}

const MARK = ['description', 'tags'];

/** What a plan would change besides the mark: our tag, our line, and a uuid where Proxmox has none. */
export function beyondMark({ actions, changes, refusals }: MachinePlan): string[] {
  const writes = actions.flatMap(action =>
    action.kind === 'configure' ? writtenKeys(action) : [action.kind],
  );
  const hasUuidOnly = changes.every(({ field }) => ['adopt', 'tags', 'identity'].includes(field));
  const fields = changes.map(({ field, from, to }) => `${field} (${from ?? 'none'} → ${to ?? 'none'})`);
  const isMark = writes.every(key => MARK.includes(key) || key === 'smbios1') && refusals.length === 0;
  return isMark && hasUuidOnly ? [] : [...fields, ...refusals.map(({ detail }) => detail)];
}
