import type { DesiredState, MachineSpec } from '../../spec';
import type { ClusterAccess } from '../config/config';
import { secretsOf } from '../config/machine-secrets';
import type { Wanted } from '../run/wanted';
import { accessFor } from './access-for';
import { desiredStates } from '../input/desired-states';
import type { Options, Surroundings } from '../input/surroundings';

/** Works on each desired state that was named, one after the other, with the way to its cluster. */
export async function eachState<T>(
  options: Options,
  around: Surroundings,
  work: (state: DesiredState, access: ClusterAccess) => Promise<T[]>,
): Promise<T[]> {
  const states = await desiredStates(options, around);
  const accesses = accessFor(
    states.map(({ cluster }) => cluster),
    around,
  );
  const results: T[] = [];
  for (const [index, state] of states.entries()) {
    const access = accesses[index];
    if (access) results.push(...(await work({ ...state, cluster: access.cluster }, access)));
  }
  return results;
}

/** What a person's run wants of one machine: no Terraform entry, no token. */
export function wantedBy(owner: string, spec: MachineSpec, { environment }: Surroundings): Wanted {
  const identity = { owner, ids: [spec.id, ...(spec.formerIds ?? [])] };
  return { spec, identity, secrets: secretsOf(spec, environment) };
}
