import type { Call, HandlerTable } from '../../cluster/call';
import { fail } from '../../failure';
import { digestOfText } from '../../cluster/section-config';
import { fingerprintOf } from '../../views/fingerprint';
import type { World } from '../../world';

/** What the cluster's own configuration says. pve-cluster API2/ClusterConfig.pm. */
export const clusterConfigHandlers: HandlerTable = {
  'GET /cluster/config/nodes': ({ sim }) =>
    (sim.world.cluster ? sim.world.nodes : []).map(({ name, nodeid, ip }) => ({
      name,
      node: name,
      nodeid: String(nodeid),
      quorum_votes: '1',
      ring0_addr: ip,
    })),
  'GET /cluster/config/totem': ({ sim }) => totemOf(sim.world),
  'GET /cluster/config/join': joinInfo,
  // PVE: without a device that votes there is nothing to tell
  'GET /cluster/config/qdevice': () => ({}),
  'GET /cluster/config/apiversion': () => 1,
};

/** assumed: one link, as a new cluster has it. */
function totemOf({ cluster, nodes }: World): Record<string, unknown> | null {
  return (
    cluster && {
      cluster_name: cluster.name,
      config_version: String(nodes.length),
      interface: { '0': { linknumber: '0' } },
      ip_version: 'ipv4-6',
      link_mode: 'passive',
      secauth: 'on',
      version: '2',
    }
  );
}

/** What a further node needs to join. */
function joinInfo({ sim: { world }, node: entry, params }: Call): unknown {
  const totem = totemOf(world);
  if (!totem) fail('node is not in a cluster, no join info available!');
  const { node = entry } = params;
  return {
    nodelist: world.nodes.map(({ name, nodeid, ip }) => ({
      name,
      nodeid: String(nodeid),
      pve_addr: ip,
      pve_fp: fingerprintOf(name),
      quorum_votes: '1',
      ring0_addr: ip,
    })),
    preferred_node: node,
    totem,
    config_digest: digestOfText(JSON.stringify(totem)),
  };
}
