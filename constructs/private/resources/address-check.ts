import type { ClusterView } from '../calls/cluster-view';
import type { Member } from '../calls/machine-view';
import { factsName } from './names';

/** A warning at each plan which tells an address that was last known, and which the guest does not tell now. */
export function addressCheck(
  cluster: Pick<ClusterView, 'name'>,
  member: Member,
  status: () => string,
): Record<string, unknown> {
  // Terraform warns of a check that it cannot decide yet
  if (!member.readsAddress() || member.readsManaged()) return {};
  const name = factsName(cluster.name, member.id);
  const stale = `jsondecode(lookup(data.external.${name}.result, "staleAddresses", jsonencode("")))`;
  const isReadNow = `contains(["in-sync", "observed", "paused"], ${status()})`;
  const assert = [
    {
      condition: `\${${isReadNow} ? ${stale} == "" : true}`,
      error_message: `machine ${member.id}: \${${stale}}.`,
    },
  ];
  return { check: { [name]: { assert } } };
}
