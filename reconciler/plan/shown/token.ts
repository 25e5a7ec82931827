import { randomBytes } from 'node:crypto';
import { PlanToken, type MachineSpec, type NodeSpec } from '../../../spec';
import type { GuestPlace, MachinePlan } from '../../action';
import { uuidOf } from '../../guest/uuid';
import type { ObservedMachine } from '../../observed';

/**
 * The facts that Terraform's plan read of a machine: its apply begins with them, and needs to read the machine alone. The
 * plan puts them into its token with `factsForToken`, the apply takes them with `factsInToken` (here); `TokenFacts` reads the
 * machine with them (life/token-facts.ts). They are not enough where that finds something else, where the apply's own plan
 * asks for any fact (machine/facts.ts says when; life/machine-planner.ts), or where it does more than was judged (plan/plan.ts).
 * Then the cluster is read, and from there it goes the way of every other run.
 */
export type FactsInToken = GuestPlace &
  (
    | { found: 'absent'; source: GuestPlace | undefined }
    | { found: 'running' | 'stopped'; pool: string | undefined }
  );

/**
 * The facts of a machine that a plan puts into its token. Only whose guest it is where the plan itself was not certain: a creation was at work
 * that could have been this machine, or what is there is only a part.
 */
export function factsForToken(
  { actions, waitsFor, standsStill }: MachinePlan,
  have: ObservedMachine,
): Pick<PlanToken, 'found' | 'pool' | 'source' | 'adopts'> {
  // its apply looks whether it still does
  if (waitsFor !== undefined || standsStill !== undefined) return whoseForToken(have);
  if (have.kind === 'present' && !have.unfinished) {
    const { power, pool } = have.guest;
    const whose = whoseForToken(have);
    return power === 'unknown' ? whose : { ...whose, found: power, ...(pool === undefined ? {} : { pool }) };
  }
  const [make, ...others] = actions;
  // what is imported is looked for again
  if (make?.kind === 'fetch-image') return {};
  // a clone that is made to be moved is placed anew
  if (have.kind !== 'absent' || others.some(({ kind }) => kind === 'migrate')) return whoseForToken(have);
  if (make?.kind === 'clone') return { found: 'absent', source: make.source };
  return make?.kind === 'create' ? { found: 'absent' } : {};
}

/**
 * Whose guest a plan found: its apply adopts no other one. A plan knows no entry: one that lost its mark may be of another
 * Terraform state for the apply, which then adopts it.
 */
export function whoseForToken(have: ObservedMachine): Pick<PlanToken, 'found' | 'adopts'> {
  const isToMark = have.kind === 'adoptable' || (have.kind === 'present' && have.lostMark !== undefined);
  const uuid = isToMark ? uuidOf(have.guest.current) : undefined;
  return {
    ...(have.kind === 'present' && { found: 'ours' }),
    ...(uuid === undefined ? {} : { adopts: uuid }),
  };
}

/** The facts in a token, where nothing but the machine has to be read. Undefined: not enough, or none; all must be read. */
export function factsInToken(
  { node, vmid, found, pool, source }: Partial<PlanToken>,
  { mode = 'reconcile', placement }: Pick<MachineSpec, 'mode' | 'placement'>,
  nodes: readonly NodeSpec[],
): FactsInToken | undefined {
  if (node === undefined || vmid === undefined || mode !== 'reconcile') return undefined;
  if (found === 'running' || found === 'stopped') return { node, vmid, found, pool };
  // rules of placing are judged again
  const isPlacedAnew = placement !== undefined || nodes.length > 0;
  return found === 'absent' && !isPlacedAnew ? { node, vmid, found, source } : undefined;
}

/** A token that no earlier plan gave, and what it says to apply. */
export function freshToken(said: Omit<PlanToken, 'n'>): string {
  const token: PlanToken = { n: randomBytes(9).toString('base64url'), ...said };
  return Buffer.from(JSON.stringify(token)).toString('base64url');
}

/** What a token says of the plan that it comes from. One that cannot be read allows nothing: nobody knows what was shown. */
export function tokenOf(text: string): Partial<PlanToken> {
  if (text === '') return {};
  try {
    const json: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    const parsed = PlanToken.safeParse(json);
    return parsed.success ? parsed.data : UNREADABLE;
  } catch {
    return UNREADABLE;
  }
}

const UNREADABLE: Partial<PlanToken> = { worst: 'none' };
