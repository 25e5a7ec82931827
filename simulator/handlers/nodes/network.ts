import { hasPrivileges } from '../../access/privileges';
import type { Call, HandlerTable } from '../../cluster/call';
import { failParameters } from '../../failure';

type Interface = Record<string, unknown> & { iface: string; type: string };

export const nodeNetworkHandlers: HandlerTable = {
  'GET /nodes/{node}/network': call =>
    interfacesOf(call).filter(entry => matches(entry, call.params['type'])),
  'GET /nodes/{node}/network/{iface}': call => {
    const found = interfacesOf(call, true).find(({ iface }) => iface === call.params['iface']);
    if (!found) failParameters({ iface: 'interface does not exist' });
    const { iface: _iface, ...rest } = found;
    return rest;
  },
};

function matches({ type }: Interface, wanted: string | undefined): boolean {
  if (wanted === undefined || wanted === 'include_sdn') return true;
  if (wanted === 'any_bridge' || wanted === 'any_local_bridge') return type === 'bridge';
  return type === wanted;
}

/** One card, and the bridges that this user may see. The first bridge has the card and the node's address. */
function interfacesOf({ sim, node: name, user }: Call, all = false): Interface[] {
  const node = sim.world.nodes.find(each => each.name === name);
  if (!node) return [];
  const mayUse = (bridge: string): boolean =>
    hasPrivileges(sim, user, `/sdn/zones/localnetwork/${bridge}`, ['SDN.Audit', 'SDN.Use'], true);
  const bridges = node.bridges.map((iface, index) => ({
    iface,
    ...(index === 0 ? addressed(node.ip) : { method: 'manual', bridge_ports: '' }),
    ...BRIDGE,
    priority: 4 + index,
  }));
  return [NIC, ...bridges.filter(({ iface }) => all || mayUse(iface))];
}

const NIC = {
  iface: 'nic0',
  type: 'eth',
  active: 1,
  families: ['inet'],
  method: 'manual',
  method6: 'manual',
  priority: 3,
};

const BRIDGE = {
  type: 'bridge',
  active: 1,
  autostart: 1,
  families: ['inet'],
  method6: 'manual',
  bridge_fd: '0',
  bridge_stp: 'off',
};

function addressed(address: string): Record<string, string> {
  const gateway = address.replace(/\d+$/, '254');
  return { method: 'static', address, netmask: '24', cidr: `${address}/24`, gateway, bridge_ports: 'nic0' };
}
