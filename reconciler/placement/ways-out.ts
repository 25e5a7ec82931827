import { bridgeOf, isImported, type ClusterSpec, type FleetMachine } from '../../spec';

/** What is told where no node's reason names a field: each is away, or closed to new machines. */
const ANY = ['change node, placement or image', 'make room'];

/** What helps against the reasons of all nodes, each way once: one node is enough. */
export function remedyOf(reasons: readonly { remedy?: string; ways?: readonly string[] }[]): string {
  const whole = reasons.find(({ remedy }) => remedy !== undefined)?.remedy;
  if (whole !== undefined) return whole;
  const ways = [...new Set(reasons.flatMap(each => each.ways ?? []))];
  const text = (ways.length > 0 ? ways : ANY).join(', or ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** The ways out where a storage does not fit: the fields that name it, and what else helps. */
export function storageWays(machine: FleetMachine, storage: string, ...more: string[]): string[] {
  return [`name another storage in ${storageFields(machine, storage).join(' and ')}`, ...more];
}

function storageFields({ image, disks = [] }: FleetMachine, storage: string): string[] {
  const root = disks.find(({ name }) => name === 'root');
  const isOn = (volume: string | undefined): boolean => volume?.startsWith(`${storage}:`) === true;
  const fields = disks.flatMap(({ name, storage: own, existingVolume }) => {
    if (existingVolume !== undefined) return isOn(existingVolume) ? [`disks[${name}].existingVolume`] : [];
    // the others go beside the root disk
    if (own === undefined) return root?.storage === storage ? ['disks[root].storage'] : [];
    return own === storage ? [`disks[${name}].storage`] : [];
  });
  return [...new Set([...fields, ...(isOn(image?.iso) ? ['image.iso'] : [])])];
}

/** The ways out where a node lacks a bridge: where it is named, or made. */
export function bridgeWays(
  { networks = [] }: FleetMachine,
  bridge: string,
  cluster: Pick<ClusterSpec, 'networkMap'>,
): string[] {
  const fields = networks.flatMap(network => {
    if (bridgeOf(network, cluster) !== bridge) return [];
    const isMapped = network.bridge !== bridge && network.name !== bridge;
    return isMapped ? ['networkMap of the cluster'] : [`networks[${network.name}].bridge`];
  });
  return [`name a bridge that a node has in ${[...new Set(fields)].join(' and ')}`, `make ${bridge} on one`];
}

/** The ways out where an address gives no file to a node. */
export function importWays({ image }: FleetMachine): string[] {
  const field = image !== undefined && isImported(image) && image.storage !== undefined;
  return [
    ...(field ? ['name another storage in image.storage'] : []),
    'allow the content "import" on a storage of a node',
  ];
}
