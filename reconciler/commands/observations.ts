import type {
  ClusterSpec,
  Difference,
  FleetSpec,
  HeldGuests,
  MachineSpec,
  Observation,
  PlanToken,
  machinesOf,
} from '../../spec';
import { formatProblems, parseMachine } from '../../spec';
import type { MachinePlan } from '../action';
import type { ClusterAccess } from '../config/config';
import { costOf } from '../plan/cost';
import { differenceText } from '../report/difference';
import { InputError } from '../errors';
import type { Run } from '../run/run';
import { heldGuests } from '../run/held-guests';
import { secretsOf } from '../config/machine-secrets';
import type { ObservedGuest, ObservedMachine } from '../observed';
import { freshToken } from '../plan/token';
import { PveError } from '../pve';
import { lookAt, type Outcome } from '../apply/reconcile-machine';
import { MachineRun } from '../apply/machine-run';
import { refusalTexts } from '../report/refusal-text';
import { oneLine } from '../report/visible';
import { contradictions } from '../input/contradictions';
import { readJson } from '../input/read-json';
import type { Surroundings } from '../input/surroundings';
import { withRun } from './with-run';

const NOWHERE = { node: '', vmid: '' };

type Observed = Extract<Outcome, { kind: 'observed' }>;
type Asked = ReturnType<typeof machinesOf>[number];

export interface Query {
  owner: string;
  machines: Asked[];
  /** All machines that are placed together; without it those of the query. */
  fleet: FleetSpec | undefined;
}

interface Told {
  machines: Record<string, Observation>;
  held: HeldGuests;
}

/** How each machine of a query stands, and which guests the owner has. */
export function observations(
  { owner, machines, fleet: said }: Query,
  access: ClusterAccess,
  around: Surroundings,
): Promise<Told> {
  const fleet = { owner, ...(said ?? { machines: whole(machines, access.cluster) }) };
  return withRun(access, around, fleet, async run => {
    const wrong = contradictions(machines, owner, access.cluster);
    const staying = new Set([...machines, ...fleet.machines].map(({ id }) => id));
    const seen: ObservedGuest[] = [];
    const told = await Promise.all(
      machines.map(async machine => {
        const refusal = wrong.get(machine.id);
        const told =
          refusal === undefined
            ? await observed({ run, owner, staying, seen }, machine, around)
            : refused(refusal);
        return [machine.id, told] as const;
      }),
    );
    // who observes one machine of many leaves the others to the observer that they share
    const reads = machines.length !== 1 || fleet.machines.length <= 1;
    const held = await heldGuests(run, { owner, ids: staying, seen, reads });
    return { machines: Object.fromEntries(told), held };
  });
}

/** The machines of a query that are right and known. */
function whole(machines: Asked[], cluster: ClusterSpec): MachineSpec[] {
  return machines.flatMap(({ spec: text }) => {
    const spec = specOf(text, cluster);
    return 'told' in spec ? [] : [spec];
  });
}

async function observed(
  { run, owner, staying, seen }: { run: Run; owner: string; staying: Set<string>; seen: ObservedGuest[] },
  { id, spec: text, entry }: Asked,
  { environment }: Surroundings,
): Promise<Observation> {
  const spec = specOf(text, run.clusterSpec);
  if ('told' in spec) return spec.told;
  if (spec.id !== id) return refused(`spec.${id} is the spec of '${spec.id}'. Synthesize the stack again.`);
  if (spec.mode === 'paused') return held('paused');
  const identity = { owner, ids: [id, ...(spec.formerIds ?? [])], ...(entry === undefined ? {} : { entry }) };
  const machine = new MachineRun(run, { spec, identity, staying, secrets: secretsOf(spec, environment) });
  try {
    if (spec.mode === 'observe') {
      const looked = await lookAt(machine);
      if (looked.guest) seen.push(looked.guest);
      return observedOnly(looked);
    }
    const have = await machine.observe();
    if ('guest' in have) seen.push(have.guest);
    return observation(await machine.plan(have), have);
  } catch (error) {
    // wrong credentials concern all machines; anything else only this one, whose plan then fails with the reason
    if (!(error instanceof PveError) || error.kind === 'unauthenticated') throw error;
    const said = `cannot be read: ${oneLine(error.message)}`;
    return spec.mode === 'observe' ? held('observed', said) : refused(said);
  }
}

function specOf(text: string, cluster: ClusterSpec): MachineSpec | { told: Observation } {
  const parsed = parseSpec(text, cluster);
  if (typeof parsed === 'string') return { told: refused(parsed) };
  if (parsed.ok) return parsed.value;
  const problems = formatProblems(parsed.problems);
  if (!parsed.deferred) return { told: refused(problems) };
  const diff = JSON.stringify({ does: [], changes: [], unknown: problems } satisfies Difference);
  return {
    told: {
      status: 'unknown',
      token: freshToken({}),
      diff,
      refusal: '',
      effect: 'none',
      drift: '',
      ...NOWHERE,
    },
  };
}

function parseSpec(text: string, cluster: ClusterSpec): ReturnType<typeof parseMachine> | string {
  try {
    return parseMachine(readJson(text, 'the spec'), cluster);
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
}

function observation(plan: MachinePlan, have: ObservedMachine): Observation {
  const diff = differenceText(plan, have);
  const place = placeOf(have);
  if (plan.refusals.length > 0) {
    return {
      ...refused(refusalTexts(plan.refusals).join('\n')),
      diff,
      ...place,
    };
  }
  const effect = costOf(plan, have);
  if (effect !== 'none') {
    const token = freshToken({ ...knownPlace(have), ...createOf(plan), worst: effect });
    const status = have.kind === 'absent' ? 'absent' : 'different';
    return { status, token, diff, refusal: '', effect, drift: '', ...place };
  }
  const known = have.kind === 'present' ? have.guest.mark?.t : undefined;
  return {
    status: 'in-sync',
    token: known ?? freshToken({ worst: 'live' }),
    diff,
    refusal: '',
    effect,
    drift: '',
    ...place,
  };
}

function refused(refusal: string): Observation {
  return {
    status: 'refused',
    token: freshToken({}),
    diff: '',
    refusal,
    effect: 'refused',
    drift: '',
    ...NOWHERE,
  };
}

/** A machine that is not written to. Its token is always the same, so that Terraform sees no change. */
function held(status: 'observed' | 'paused', drift = ''): Observation {
  return { status, token: status, diff: '', refusal: '', effect: 'none', drift, ...NOWHERE };
}

function observedOnly({ guest, drift }: Observed): Observation {
  const place = guest === undefined ? NOWHERE : { node: guest.node, vmid: String(guest.vmid) };
  return { ...held('observed', drift), ...place };
}

/** The node and the id that were chosen for a machine that is to be created: apply keeps to them. */
function createOf({ actions }: MachinePlan): Pick<PlanToken, 'node' | 'vmid'> {
  const create = actions.find(action => action.kind === 'create' || action.kind === 'clone');
  const move = actions.find(action => action.kind === 'migrate');
  return create === undefined ? {} : { node: move?.to ?? create.node, vmid: create.vmid };
}

function placeOf(have: ObservedMachine): Pick<Observation, 'node' | 'vmid'> {
  if (have.kind === 'absent' || have.kind === 'refused') return NOWHERE;
  return { node: oneLine(have.guest.node), vmid: String(have.guest.vmid) };
}

/** Where a machine is: what is left to tell of it once it leaves the code. */
function knownPlace(have: ObservedMachine): Pick<PlanToken, 'node' | 'vmid'> {
  return 'guest' in have ? { node: have.guest.node, vmid: have.guest.vmid } : {};
}
