import { AT_CREATE, bridgeOf, type NetworkSpec } from '../../../spec';
import { addressWants } from './cloud-init/address-wants';
import { restated } from './restated';
import type { Part, Scene } from '../scene';
import { wantsInside, type FieldTable, type Want } from '../want';

export const NETWORK: FieldTable = {
  model: 'model',
  macAddress: 'macaddr',
  bridge: 'bridge',
  vlan: 'tag',
  trunks: 'trunks',
  firewall: 'firewall',
  hostTunnel: 'host-tunnel',
  mtu: 'mtu',
  queues: 'queues',
  rateLimit: 'rate',
  linkDown: 'link_down',
};

/** Network cards and their addresses, by name. A card that is there keeps its MAC unless the spec gives one. */
export const networks: Part = scene => [
  ...(scene.spec.networks ?? []).flatMap(network => cardWants(network, scene)),
  ...Object.entries(scene.slots.goneNetworks).flatMap(([name, slot]) => removed(`networks[${name}]`, slot)),
  ...scene.slots.spareNetworks.flatMap(slot => removed('networks', slot)),
];

function cardWants(network: NetworkSpec, scene: Scene): Want[] {
  const { slots, next, running, context } = scene;
  const slot = slots.networks[network.name];
  if (slot === undefined) return [];
  const isNew = next[slot] === undefined;
  const field = `networks[${network.name}]`;
  const values = {
    ...network,
    model: network.model ?? (isNew && running[slot] === undefined ? AT_CREATE.network.model : undefined),
    bridge: bridgeOf(network, context.clusterSpec),
    trunks: network.trunks?.join(';'),
  };
  const wants = wantsInside(field, slot, NETWORK, values);
  return [
    ...restated(field, slot, scene),
    ...(isNew ? wants.map(want => ({ ...want, field })) : wants),
    ...addressWants(network, field, slot.replace('net', 'ipconfig')),
  ];
}

function removed(field: string, slot: string): Want[] {
  return [slot, slot.replace('net', 'ipconfig')].map(key => ({ field, key, value: null }));
}
