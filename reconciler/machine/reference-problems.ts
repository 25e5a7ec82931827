import { bridgeOf } from '../../spec';
import type { ObservedCluster, ObservedNode } from '../observed';
import { propertiesOf } from './configuration';
import { readDrive } from './drive';
import type { Problem } from './problem';
import type { Scene } from './scene';

/** Bridges and storages that a change needs and the node does not have. Nothing is said about what is there and stays. */
export function referenceProblems(
  scene: Scene,
  cluster: ObservedCluster,
  node: string | undefined,
): Problem[] {
  const place = cluster.nodes.find(({ name }) => name === node);
  return place === undefined ? [] : [...bridges(scene, place), ...storages(scene, place)];
}

function bridges({ spec, slots, config, context }: Scene, node: ObservedNode): Problem[] {
  return (spec.networks ?? []).flatMap(network => {
    const slot = slots.networks[network.name];
    const bridge = bridgeOf(network, context.clusterSpec);
    const there = slot === undefined ? undefined : propertiesOf('net0', config[slot]).bridge;
    if (bridge === undefined || bridge === there || !node.bridges || node.bridges.includes(bridge)) return [];
    const field = `networks[${network.name}].bridge`;
    return [missing('bridge', field, String(there ?? '') || undefined, bridge, node.name, node.bridges)];
  });
}

function storages({ spec, slots, config }: Scene, node: ObservedNode): Problem[] {
  const said = [
    ...(spec.disks ?? []).map(({ name, storage }) => ({
      field: `disks[${name}]`,
      slot: slots.disks[name],
      storage,
    })),
    { field: 'efiDisk', slot: 'efidisk0', storage: spec.efiDisk?.storage },
    { field: 'tpm', slot: 'tpmstate0', storage: spec.tpm?.storage },
  ];
  const known = node.storages?.filter(({ active }) => active).map(({ name }) => name);
  return said.flatMap(({ field, slot, storage }) => {
    const text = slot === undefined ? undefined : config[slot];
    const there = text === undefined ? undefined : readDrive(text).storage;
    if (storage === undefined || storage === there || !known || known.includes(storage)) return [];
    return [missing('storage', `${field}.storage`, there, storage, node.name, known)];
  });
}

function missing(
  kind: 'bridge' | 'storage',
  field: string,
  from: string | undefined,
  to: string,
  node: string,
  known: string[],
): Problem {
  return {
    field,
    from,
    to,
    why: `${kind}-not-found`,
    detail: `${kind} '${to}' not found on node ${node}, which has ${known.join(', ') || 'none'}.`,
    remedy: `Name one of these in ${field}, or make it on the node.`,
    rebuild: undefined,
  };
}
