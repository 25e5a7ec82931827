import { canonical, EVERY_OWNER, PROTOCOL_VERSION } from '../../../spec';
import type { ClusterView } from './cluster-view';
import { encode, literal } from '../tokens/encode';
import { fleetText } from './fleet';
import type { Member } from './machine-view';
import type { SnapshotMember } from './snapshot-view';

/** The outputs that only a guest knows, where the program reads them. */
export const ADDRESSES = 'ipAddresses';

/** What is known of a cluster, whether it is there or was removed. */
type Described = Pick<ClusterView, 'spec'>;

/** What every call carries, as variables of a provisioner. All of it is literal: a destroy may name nothing else. */
export function variables(cluster: Described): Record<string, string> {
  return { PROXMOX_PROTOCOL: String(PROTOCOL_VERSION), PROXMOX_CLUSTER: clusterText(cluster) };
}

/** What every call carries, as a query. */
export function queryOf(cluster: ClusterView): Record<string, string> {
  return { protocol: String(PROTOCOL_VERSION), cluster: clusterText(cluster), owner: cluster.owner };
}

/** The query about a cluster that has left the program: whose its machines were, only the state knows. */
export function removedQuery(cluster: Described): Record<string, string> {
  return { protocol: String(PROTOCOL_VERSION), cluster: clusterText(cluster), owner: EVERY_OWNER };
}

/** The query of an observer: what each of its machines wants, and the snapshots. */
export function observeQuery(
  cluster: ClusterView,
  members: readonly Member[],
  snapshots: readonly SnapshotMember[],
): Record<string, string> {
  const specs = members.map(member => [`spec.${member.id}`, encode(member.spec())]);
  const read = members.flatMap(member => (member.readsAddress() ? [[`reads.${member.id}`, ADDRESSES]] : []));
  const fleet = fleetText(cluster, members);
  const taken = snapshots.map(each => [`snapshot.${each.key}`, literal(canonical(each.spec()))]);
  const of = Object.fromEntries([...specs, ...read, ...taken]);
  return { ...queryOf(cluster), ...(fleet !== undefined && { fleet }), ...of };
}

function clusterText(cluster: Described): string {
  return literal(canonical(cluster.spec()));
}
