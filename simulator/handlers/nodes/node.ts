import type { Call, HandlerTable } from '../../cluster/call';
import { needQuorum } from '../../cluster/quorum';
import type { Node } from '../../world';
import { nodeRow } from '../../views/resource-rows';
import { authorityOf, fingerprintOf } from '../../views/fingerprint';
import { nodeStatus } from '../../views/node-status';
import { fail, failParameters } from '../../failure';
import { splitList } from '../../perl-text';
import { checkUnmodified } from '../../cluster/section-change';
import { digestOfText } from '../../cluster/section-config';
import { RESOLVER } from '../../cluster/dns';
import { isTimeZone, secondsAhead } from '../../cluster/time-zone';

export const nodeHandlers: HandlerTable = {
  'GET /nodes': ({ sim, node: from, user }) =>
    sim.world.nodes.map(node => ({
      ...nodeRow(sim, from, node, user),
      ssl_fingerprint: fingerprintOf(node.name),
    })),
  'GET /nodes/{node}/certificates/info': call => [
    // assumed: the cluster's own authority is listed first, then what the node shows
    { filename: 'pve-root-ca.pem', fingerprint: authorityOf(call.sim.world) },
    { filename: 'pve-ssl.pem', fingerprint: fingerprintOf(thisNode(call).name) },
  ],
  'GET /nodes/{node}/status': call => nodeStatus(call.sim, thisNode(call)),
  'GET /nodes/{node}/dns': call => thisNode(call).dns ?? RESOLVER,
  'PUT /nodes/{node}/dns': call => {
    // PVE: what is not named goes
    const { node: _node, ...dns } = call.params;
    thisNode(call).dns = dns;
    return null;
  },
  'GET /nodes/{node}/time': call => {
    const timezone = thisNode(call).timezone ?? 'UTC';
    const time = Math.floor(call.sim.clock.now() / 1000);
    return { timezone, time, localtime: time + secondsAhead(timezone, time) };
  },
  'PUT /nodes/{node}/time': call => {
    const { timezone = '' } = call.params;
    // PVE: pve-common, Systemd.pm; it takes the names that its system lists
    if (!isTimeZone(timezone)) failParameters({ timezone: 'No such timezone' });
    thisNode(call).timezone = timezone;
    return null;
  },
  'GET /nodes/{node}/hosts': call => {
    const data = hostsFile(call);
    return { data, digest: digestOfText(data) };
  },
  'GET /nodes/{node}/subscription': () => ({
    status: 'notfound',
    message: 'There is no subscription key',
    url: 'https://www.proxmox.com/en/proxmox-virtual-environment/pricing',
  }),
  'GET /nodes/{node}/config': call => nodeConfig(call),
  'PUT /nodes/{node}/config': call => {
    const { node: _node, digest, delete: gone = '', ...set } = call.params;
    const config = thisNode(call).config ?? {};
    // assumed: written as a guest's configuration is
    needQuorum(
      call.sim.world,
      `unable to open file '/etc/pve/nodes/${call.node}/config.tmp.${1000 + call.sim.random.below(60_000)}' - Permission denied`,
    );
    checkUnmodified(digest, digestOfConfig(config));
    for (const key of splitList(gone)) delete config[key];
    thisNode(call).config = { ...config, ...set };
    return null;
  },
};

function thisNode({ sim, node }: Call): Node {
  return sim.world.nodes.find(({ name }) => name === node) ?? fail(`no such cluster node '${node}'`);
}

function hostsFile({ sim }: Call): string {
  const lines = sim.world.nodes.map(({ name, ip }) => `${ip} ${name}.example.com ${name}\n`);
  return `127.0.0.1 localhost.localdomain localhost\n${lines.join('')}`;
}

function digestOfConfig(config: Record<string, string>): string {
  return digestOfText(
    Object.entries(config)
      .sort()
      .map(([key, value]) => `${key}: ${value}\n`)
      .join(''),
  );
}

function nodeConfig(call: Call): Record<string, unknown> {
  const config = thisNode(call).config ?? {};
  const { property = 'all' } = call.params;
  const shown = Object.entries(config).filter(([key]) => property === 'all' || key === property);
  const numbers = new Set(['ballooning-target', 'startall-onboot-delay']);
  return {
    ...Object.fromEntries(shown.map(([key, value]) => [key, numbers.has(key) ? Number(value) : value])),
    digest: digestOfConfig(config),
  };
}
