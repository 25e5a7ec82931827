import { allowanceFindings, clusterFindings } from '../checks/cluster';
import { desiredStateFindings } from './desired-state-checks';
import { preparedImageFindings } from '../checks/image';
import { machineFindings } from '../checks/machine';
import { placementFindings } from '../checks/neighbours';
import { ClusterSpec } from '../cluster/cluster';
import { ExistingSpec, existingFindings } from '../cluster/existing';
import { DesiredState, PartialState } from './desired-state';
import { MachineSpec } from '../machine/machine';
import { MachineClass } from '../machine/class';
import { NodeSpec } from '../cluster/node';
import { parseWith, type Parsed } from '../reading/parse';
import { PlacementPolicy } from '../cluster/placement-policy';
import { PreparedImage } from '../cluster/prepared-image';
import { withTemplates } from './image-to-template';
import { SnapshotSpec } from '../machine/snapshot';

/**
 * Parses everything that one owner wants of one cluster, and checks each machine against the cluster and the others.
 * Images that are made ready come out as machines: their templates.
 */
export function parseDesiredState(json: unknown): Parsed<DesiredState> {
  const reading = { schema: DesiredState, partial: PartialState, checks: desiredStateFindings };
  const parsed = parseWith(reading, json);
  return parsed.ok ? { ok: true, value: withTemplates(parsed.value) } : parsed;
}

/** Parses one machine; against its cluster too, when that is given. Paths begin with `machines[<id>]`, as in a document. */
export function parseMachine(json: unknown, cluster?: ClusterSpec): Parsed<MachineSpec> {
  const checks = (machine: MachineSpec) => [
    ...machineFindings(machine),
    ...(cluster === undefined ? [] : allowanceFindings(machine, cluster)),
  ];
  return parseWith({ schema: MachineSpec, partial: MachineSpec, checks, at: ['machines', 0] }, json);
}

/** Parses a cluster alone. */
export function parseCluster(json: unknown): Parsed<ClusterSpec> {
  const reading = { schema: ClusterSpec, partial: ClusterSpec, checks: clusterFindings, at: ['cluster'] };
  return parseWith(reading, json);
}

/** Parses what is said about one node. */
export function parseNode(json: unknown): Parsed<NodeSpec> {
  return parseWith({ schema: NodeSpec, partial: NodeSpec, checks: () => [], at: ['nodes', 0] }, json);
}

/** Parses a class of machines. */
export function parseMachineClass(json: unknown): Parsed<MachineClass> {
  return parseWith(
    { schema: MachineClass, partial: MachineClass, checks: () => [], at: ['classes', 0] },
    json,
  );
}

/** Parses a placement that machines name. */
export function parsePlacementPolicy(json: unknown): Parsed<PlacementPolicy> {
  const reading = { schema: PlacementPolicy, partial: PlacementPolicy, checks: placementFindings };
  return parseWith({ ...reading, at: ['policies', 0] }, json);
}

/** Parses an image to prepare. */
export function parsePreparedImage(json: unknown): Parsed<PreparedImage> {
  const reading = { schema: PreparedImage, partial: PreparedImage, checks: preparedImageFindings };
  return parseWith({ ...reading, at: ['images', 0] }, json);
}

/** Parses one snapshot. */
export function parseSnapshot(json: unknown): Parsed<SnapshotSpec> {
  return parseWith(
    { schema: SnapshotSpec, partial: SnapshotSpec, checks: () => [], at: ['snapshots', 0] },
    json,
  );
}

/** Parses which guest, or which guests, are only read. */
export function parseExisting(json: unknown): Parsed<ExistingSpec> {
  return parseWith(
    { schema: ExistingSpec, partial: ExistingSpec, checks: existingFindings, at: ['existing', 0] },
    json,
  );
}
