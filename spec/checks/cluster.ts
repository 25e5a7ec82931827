import type { ClusterSpec } from '../cluster/cluster';
import { ALWAYS } from '../fields/defaults';
import { milliseconds } from '../values/duration';
import type { MachineSpec } from '../machine/machine';
import type { PreparedImage } from '../cluster/prepared-image';
import { bridgeOf, networkMapOf } from '../cluster/network-map';
import type { Path } from '../reading/path';
import type { Finding } from '../reading/problem';

/** What a cluster says that cannot hold together. */
export function* clusterFindings(cluster: ClusterSpec): Iterable<Finding> {
  const { vmidRange, endpoint, endpoints } = cluster;
  if (vmidRange !== undefined && vmidRange.from > vmidRange.to) {
    yield {
      path: ['vmidRange'],
      reason: 'ends before it begins',
      allowed: 'from at most to',
      remedy: 'Swap from and to.',
    };
  }
  if (endpoint !== undefined && endpoints !== undefined) {
    yield {
      path: ['endpoints'],
      reason: 'is given beside endpoint',
      remedy: 'Put all of them into endpoints.',
    };
  }
  const { pollFloor = ALWAYS.cluster.pollFloor, pollCeiling = ALWAYS.cluster.pollCeiling } = cluster;
  if (milliseconds(pollFloor) > milliseconds(pollCeiling)) {
    yield {
      path: ['pollFloor'],
      reason: `is longer than pollCeiling (${pollCeiling})`,
      remedy: 'Lower it, or raise pollCeiling.',
    };
  }
}

/** What a machine asks for that its cluster does not allow. */
export function* allowanceFindings(machine: MachineSpec, cluster: ClusterSpec): Iterable<Finding> {
  yield* notListed(cluster, {
    nodes: nodesUsed(machine),
    storages: storagesUsed(machine),
    networks: bridgesUsed(machine, cluster),
  });
  yield* otherCluster(machine, cluster, 'machine');
  for (const [i, network] of (machine.networks ?? []).entries()) {
    if (machine.adopt === true || bridgeOf(network, cluster) !== undefined) continue;
    yield {
      path: ['networks', i, 'bridge'],
      kind: 'missing',
      reason: `is required: the network map has no "${network.name}"`,
      allowed: `a bridge, or one of ${Object.keys(networkMapOf(cluster)).join(', ')}`,
      remedy: `Add bridge, or add "${network.name}" to networkMap of the cluster.`,
    };
  }
}

/** What an image to prepare asks for that its cluster does not allow. */
export function* imageAllowanceFindings(image: PreparedImage, cluster: ClusterSpec): Iterable<Finding> {
  const { nodes = [], storage, diskStorage } = image;
  const storages = Object.entries({ storage, diskStorage });
  yield* notListed(cluster, {
    nodes: nodes.map((value, i) => ({ path: ['nodes', i], value })),
    storages: storages.flatMap(([field, value]) => (value === undefined ? [] : [{ path: [field], value }])),
    networks: [],
  });
  yield* otherCluster(image, cluster, 'image');
}

function* notListed(
  cluster: ClusterSpec,
  uses: Readonly<Record<'nodes' | 'storages' | 'networks', Use[]>>,
): Iterable<Finding> {
  for (const list of ['nodes', 'storages', 'networks'] as const) {
    const entries = cluster[list];
    for (const { path, value } of uses[list]) {
      if (entries === undefined || entries.includes(value)) continue;
      yield {
        path,
        reason: `is not among the ${list} of cluster "${cluster.name}"${list === 'networks' ? ` (bridge ${value})` : ''}`,
        allowed: entries.join(', ') || 'none',
        remedy: `Name one of them, or add "${value}" to ${list} of the cluster.`,
      };
    }
  }
}

function* otherCluster(
  { cluster: named }: { cluster?: string | undefined },
  { name }: ClusterSpec,
  what: string,
): Iterable<Finding> {
  if (named === undefined || named === name) return;
  yield {
    path: ['cluster'],
    reason: 'is another cluster than that of the document',
    allowed: `"${name}"`,
    remedy: `Remove it, or move the ${what}.`,
  };
}

interface Use {
  readonly path: Path;
  readonly value: string;
}

function nodesUsed({ node, placement }: MachineSpec): Use[] {
  const listed = (placement?.nodes ?? []).map((value, i) => ({ path: ['placement', 'nodes', i], value }));
  return node === undefined ? listed : [{ path: ['node'], value: node }, ...listed];
}

function bridgesUsed({ networks = [] }: MachineSpec, cluster: ClusterSpec): Use[] {
  return networks.flatMap((network, i) => {
    const value = bridgeOf(network, cluster);
    const field = network.bridge === undefined ? 'name' : 'bridge';
    return value === undefined ? [] : [{ path: ['networks', i, field], value }];
  });
}

function storagesUsed({ disks = [], efiDisk, tpm, image, cdrom }: MachineSpec): Use[] {
  const volume = (path: Path, value: string | undefined) =>
    value?.includes(':') === true ? [{ path, value: value.slice(0, value.indexOf(':')) }] : [];
  const storage = (path: Path, value: string | undefined) => (value === undefined ? [] : [{ path, value }]);
  return [
    ...disks.flatMap((disk, i) => [
      ...storage(['disks', i, 'storage'], disk.storage),
      ...volume(['disks', i, 'existingVolume'], disk.existingVolume),
    ]),
    ...storage(['efiDisk', 'storage'], efiDisk?.storage),
    ...storage(['tpm', 'storage'], tpm?.storage),
    ...storage(['image', 'storage'], image?.storage),
    ...volume(['image', 'iso'], image?.iso),
    ...volume(['cdrom'], cdrom),
  ];
}
