import { canonical, FleetMachine, fleetMachine, type FleetSpec } from '../../spec';
import type { ClusterView } from './cluster-view';
import { literal } from './encode';
import type { Member } from './member';
import { isPlace, mapped } from './tokens';

/**
 * What an observer must know of the machines and nodes that its query does not hold, so that all observers of a
 * cluster place its machines alike. Absent where the query says it all.
 */
export function fleetQuery(cluster: ClusterView, asked: readonly Member[]): { fleet?: string } {
  const { members, nodes } = cluster;
  if (nodes.length === 0 && asked.length === members.length) return {};
  const fleet: FleetSpec = {
    machines: members.map(placed),
    ...(nodes.length === 0 ? {} : { nodes: [...nodes] }),
  };
  return { fleet: literal(canonical(fleet)) };
}

/** What placement reads of a machine. What only Terraform knows is left away: the machine may not be known yet. */
function placed(member: Member): FleetMachine {
  const { json } = member.spec();
  const known = Object.entries(typeof json === 'object' && json !== null ? json : {}).filter(
    ([field, value]) => field in FleetMachine.shape && !holdsToken(value),
  );
  const parsed = FleetMachine.safeParse(Object.fromEntries(known));
  return parsed.success ? fleetMachine(parsed.data) : { id: member.id };
}

function holdsToken(value: unknown): boolean {
  let found = isPlace(value);
  mapped(value, part => (found ||= holdsToken(part)));
  return found;
}
