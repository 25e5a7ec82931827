import type { Call, HandlerTable } from '../../cluster/call';
import { seenOnline } from '../../cluster/seen-online';

export const clusterStatusHandlers: HandlerTable = {
  'GET /cluster/status': call => [...clusterRow(call), ...nodeRows(call)],
};

function clusterRow({ sim }: Call): Record<string, unknown>[] {
  const { cluster, nodes } = sim.world;
  if (!cluster) return [];
  const { name, quorate } = cluster;
  return [
    // each join raises the version of corosync's configuration (recorded with two nodes: 2)
    {
      id: 'cluster',
      type: 'cluster',
      name,
      nodes: nodes.length,
      quorate: quorate ? 1 : 0,
      version: nodes.length,
    },
  ];
}

function nodeRows({ sim, node: from }: Call): Record<string, unknown>[] {
  const { cluster, nodes } = sim.world;
  return nodes
    .filter(({ name }) => cluster !== null || name === from)
    .map(node => ({
      id: `node/${node.name}`,
      type: 'node',
      name: node.name,
      nodeid: cluster ? node.nodeid : 0,
      ip: node.ip,
      local: node.name === from ? 1 : 0,
      online: seenOnline(sim, from, node) ? 1 : 0,
      level: '',
    }));
}
