import type { ClusterView } from '../calls/cluster-view';
import type { Member } from '../calls/machine-view';
import { factsName, observedName, observerName, revisionName } from './names';

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

/** A warning at each plan when a machine that is only observed differs. It stands in the way of nothing. */
export function driftCheck(cluster: string, member: Member, drift: () => string): Record<string, unknown> {
  if (modeOf(member.spec().json) !== 'observe') return {};
  const told = drift();
  const sentence = `machine ${member.id} differs from its spec, and is only observed (mode: observe): \${${told}}`;
  const assert = [{ condition: `\${${told} == ""}`, error_message: sentence }];
  return { check: { [revisionName(cluster, member.id)]: { assert } } };
}

function modeOf(spec: unknown): unknown {
  return typeof spec === 'object' && spec !== null && 'mode' in spec ? spec.mode : undefined;
}

/**
 * A warning at each plan that names the machines whose apply alone is refused, because somebody edited their guests in
 * Proxmox. The plan of the others goes on: a precondition would fail it for all of them.
 */
export function provenCheck({ name }: Pick<ClusterView, 'name'>): Record<string, unknown> {
  const observer = observerName(name);
  const told = `try(local.${observedName(name)}["refusedAlone"], "")`;
  const sentence = `The apply of these machines will fail, and the others are applied. \${${told}}`;
  const assert = [{ condition: `\${${told} == ""}`, error_message: sentence }];
  return { check: { [observer]: { assert } } };
}
