import { isMember } from '../cluster/quorum';
import type { Site } from './site';
import type { Guest, Node } from '../world';

/** What the page shows: nodes, guests, the latest tasks, and how much was asked. */
export function showState({ sim, ledger }: Site): unknown {
  const { world, clock, tasks } = sim;
  return {
    now: clock.now(),
    quorate: world.cluster?.quorate ?? true,
    nodes: world.nodes.map(node => ({ name: node.name, state: stateOf(node) })),
    guests: Object.values(world.guests).map(showGuest),
    tasks: tasks
      .all()
      .slice(-20)
      .reverse()
      .map(({ upid, type, id, node, user, exitstatus }) => ({
        upid,
        type,
        id,
        node,
        user,
        ...(exitstatus === undefined ? {} : { exitstatus }),
      })),
    requests: ledger.total(),
  };
}

function stateOf(node: Node): string {
  if (!isMember(node)) return node.online ? 'out of the cluster' : 'offline';
  return node.apiUp ? 'online' : 'API down';
}

function showGuest({ vmid, type, node, config, running }: Guest): unknown {
  const lock = config['lock'];
  return {
    vmid,
    type,
    node,
    name: config['name'] ?? config['hostname'] ?? `VM ${vmid}`,
    status: running ? 'running' : 'stopped',
    ...(lock === undefined ? {} : { lock }),
    ...(config['template'] === '1' ? { template: true } : {}),
  };
}
