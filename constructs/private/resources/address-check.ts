import type { ClusterView } from '../calls/cluster-view';
import type { Member } from '../calls/machine-view';
import { factsName } from './names';

/** A warning at each plan which tells an address that was last known and not told now, or that another one waits for a restart. */
export function addressCheck(
  cluster: Pick<ClusterView, 'name'>,
  member: Member,
  status: () => string,
): Record<string, unknown> {
  // Terraform warns of a check that it cannot decide yet
  if (!member.readsAddress() || member.readsManaged()) return {};
  const name = factsName(cluster.name, member.id);
  const said = (fact: string): string =>
    `jsondecode(lookup(data.external.${name}.result, "${fact}", jsonencode("")))`;
  const isReadNow = `contains(["in-sync", "observed", "paused"], ${status()})`;
  const assert = ['staleAddresses', 'waitingAddresses'].map(fact => ({
    condition: `\${${isReadNow} ? ${said(fact)} == "" : true}`,
    error_message: `machine ${member.id}: \${${said(fact)}}.`,
  }));
  return { check: { [name]: { assert } } };
}
