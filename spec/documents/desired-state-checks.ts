import type { ClusterSpec } from '../cluster/cluster';
import type { PartialState } from './desired-state';
import { templatesOf } from './image-to-template';
import type { MachineSpec } from '../machine/machine';
import type { NetworkSpec } from '../machine/network';
import { existingFindings, existingTwice } from '../cluster/existing';
import type { NodeSpec } from '../cluster/node';
import type { PreparedImage } from '../cluster/prepared-image';
import type { SnapshotSpec } from '../machine/snapshot';
import type { Path } from '../reading/path';
import { under, type Finding } from '../reading/problem';
import { cloneFindings } from '../checks/clones';
import { allowanceFindings, clusterFindings, imageAllowanceFindings } from '../checks/cluster';
import { preparedImageFindings } from '../checks/image';
import { machineFindings } from '../checks/machine';
import { neighbourFindings } from '../checks/neighbours';
import { staticAddresses } from '../checks/networks';
import { builtTemplateFindings, imagesFindings } from '../checks/prepared-images';

/** Everything in a document that cannot hold together. Parts that are absent were wrong, or are not known yet. */
export function* desiredStateFindings(state: PartialState): Iterable<Finding> {
  const { cluster, nodes = [], machines = [], snapshots = [], images = [], existing = [] } = state;
  if (cluster !== undefined) yield* under(['cluster'], clusterFindings(cluster));
  for (const [i, machine] of machines.entries()) {
    yield* under(['machines', i], machineFindings(machine));
    if (cluster !== undefined) yield* under(['machines', i], allowanceFindings(machine, cluster));
  }
  for (const [i, image] of images.entries()) {
    yield* under(['images', i], preparedImageFindings(image));
    yield* under(['images', i], builtTemplateFindings(image));
    if (cluster !== undefined) yield* under(['images', i], imageAllowanceFindings(image, cluster));
  }
  yield* imagesFindings(images, new Set(machines.map(({ id }) => id)));
  yield* sharedByAll(machines, images);
  for (const [i, node] of nodes.entries()) {
    if (nodes.findIndex(other => other.nodeName === node.nodeName) < i) {
      yield {
        path: ['nodes', i, 'nodeName'],
        reason: 'is described twice',
        remedy: 'Keep one description of a node.',
      };
    }
    if (cluster !== undefined) yield* under(['nodes', i], nodeFindings(node, cluster));
  }
  for (const [i, guest] of existing.entries()) yield* under(['existing', i], existingFindings(guest));
  yield* existingTwice(existing);
  if (state.machines === undefined) return;
  yield* snapshotFindings(snapshots, machines);
  yield* neighbourFindings(machines);
  yield* cloneFindings(machines, new Set(images.map(({ name }) => name)));
}

function* nodeFindings({ nodeName, cluster: named }: NodeSpec, cluster: ClusterSpec): Iterable<Finding> {
  if (cluster.nodes !== undefined && !cluster.nodes.includes(nodeName)) {
    yield {
      path: ['nodeName'],
      reason: `is not among the nodes of cluster "${cluster.name}"`,
      allowed: cluster.nodes.join(', ') || 'none',
      remedy: 'Name one of them, or add it to nodes of the cluster.',
    };
  }
  if (named !== undefined && named !== cluster.name) {
    yield {
      path: ['cluster'],
      reason: 'is another cluster than that of the document',
      allowed: `"${cluster.name}"`,
      remedy: 'Remove it, or move the node.',
    };
  }
}

/** What two machines, or a machine and a template that is built of an image, cannot both have. */
function* sharedByAll(machines: readonly MachineSpec[], images: readonly PreparedImage[]): Iterable<Finding> {
  const built = images.flatMap((image, at) => templatesOf(image).map(machine => ({ machine, at })));
  const twice = images.some(({ name }, at) => images.findIndex(other => other.name === name) < at);
  // that two images have one name is reported already
  const all = twice ? machines : [...machines, ...built.map(({ machine }) => machine)];
  for (const finding of shared(all)) {
    const image = built[Number(finding.path[1]) - machines.length]?.at;
    const field = finding.path[2] === 'vmid' ? 'vmid' : 'name';
    yield image === undefined ? finding : { ...finding, path: ['images', image, field] };
  }
}

/** What only one machine may have. What one machine says twice is found where the machine is checked. */
function* shared(machines: readonly MachineSpec[]): Iterable<Finding> {
  const owners = new Map<string, number>();
  for (const [i, machine] of machines.entries()) {
    for (const { what, value, path } of claims(machine)) {
      // host names know no case
      const claim = `${what} ${what === 'a name' ? String(value).toLowerCase() : value}`;
      const owner = owners.get(claim) ?? i;
      owners.set(claim, owner);
      if (owner === i || (what === 'a name' && machines[owner]?.id === machine.id)) continue;
      yield {
        path: ['machines', i, ...path],
        given: value,
        reason: `is used by machine "${machines[owner]?.id}" too`,
        remedy: `Give each machine ${what} of its own.`,
      };
    }
  }
}

interface Claim {
  readonly what: string;
  readonly value: string | number;
  readonly path: Path;
}

function claims({ id, name, adopt, formerIds = [], vmid, disks = [], networks = [] }: MachineSpec): Claim[] {
  // an adopted guest keeps the name that it has
  const called = name ?? (adopt === true ? undefined : id);
  return [
    { what: 'an id', value: id, path: ['id'] },
    ...(called === undefined
      ? []
      : [{ what: 'a name', value: called, path: [name === undefined ? 'id' : 'name'] }]),
    ...formerIds.map(value => ({ what: 'an id', value, path: ['formerIds'] })),
    ...(vmid === undefined ? [] : [{ what: 'a vmid', value: vmid, path: ['vmid'] }]),
    ...disks.flatMap(({ existingVolume: value }, i) =>
      value === undefined ? [] : [{ what: 'a volume', value, path: ['disks', i, 'existingVolume'] }],
    ),
    ...networks.flatMap((network, i) =>
      cardClaims(network).map(claim => ({ ...claim, path: ['networks', i, ...claim.path] })),
    ),
  ];
}

function cardClaims(network: NetworkSpec): Claim[] {
  const { macAddress } = network;
  const addresses = staticAddresses(network).map(({ path, address }) => ({
    what: 'an address',
    value: address.slice(0, address.indexOf('/')),
    path: [...path, 'address'],
  }));
  if (macAddress === undefined) return addresses;
  return [...addresses, { what: 'a MAC address', value: macAddress, path: ['macAddress'] }];
}

function* snapshotFindings(
  snapshots: readonly SnapshotSpec[],
  machines: readonly MachineSpec[],
): Iterable<Finding> {
  const ids = machines.map(({ id }) => id);
  for (const [i, { machine, name }] of snapshots.entries()) {
    if (!ids.includes(machine)) {
      yield {
        path: ['snapshots', i, 'machine'],
        reason: 'is no machine of this document',
        allowed: ids.join(', ') || 'none',
        remedy: 'Name one of them by its id.',
      };
    }
    if (machines.some(({ id, asTemplate }) => id === machine && asTemplate === true)) {
      yield {
        path: ['snapshots', i, 'machine'],
        reason: `is a template: Proxmox takes no snapshots of "${machine}"`,
        remedy: 'Remove the snapshot, or asTemplate of the machine.',
      };
    }
    if (snapshots.findIndex(other => other.machine === machine && other.name === name) < i) {
      yield {
        path: ['snapshots', i, 'name'],
        reason: `is taken of "${machine}" twice`,
        remedy: 'Give it another name, or remove it.',
      };
    }
  }
}
