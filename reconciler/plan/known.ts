import type { PlanToken } from '../../spec';
import type { GuestPlace, MachinePlan } from '../action';
import type { ObservedMachine } from '../observed';

/** What Terraform's plan knew of a machine. Its apply then needs to read the machine and nothing else. */
export type Known = GuestPlace &
  (
    | { found: 'absent'; source: GuestPlace | undefined }
    | { found: 'running' | 'stopped'; pool: string | undefined }
  );

/**
 * What a plan's token tells apply of the machine. Nothing where the plan itself was not certain: a creation was at work
 * that could have been this machine, or what is there is only a part.
 */
export function foundBy(
  { actions, waitsFor }: MachinePlan,
  have: ObservedMachine,
): Pick<PlanToken, 'found' | 'pool' | 'source'> {
  if (waitsFor !== undefined) return {};
  if (have.kind === 'present' && !have.unfinished) {
    const { power, pool } = have.guest;
    return power === 'unknown' ? {} : { found: power, ...(pool === undefined ? {} : { pool }) };
  }
  const [make, ...others] = actions;
  // what is imported is looked for again
  if (make?.kind === 'fetch-image') return {};
  // a clone that is made to be moved is placed anew
  if (have.kind !== 'absent' || others.some(({ kind }) => kind === 'migrate')) return {};
  if (make?.kind === 'clone') return { found: 'absent', source: make.source };
  return make?.kind === 'create' ? { found: 'absent' } : {};
}

/** What a token told. Undefined: not enough, or nothing; all must be read. */
export function knownBy({ node, vmid, found, pool, source }: Partial<PlanToken>): Known | undefined {
  if (node === undefined || vmid === undefined || found === undefined) return undefined;
  return found === 'absent' ? { node, vmid, found, source } : { node, vmid, found, pool };
}
