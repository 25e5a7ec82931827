import { allowanceFindings, clusterFindings } from './checks/cluster';
import { desiredStateFindings } from './checks/desired-state';
import { machineFindings } from './checks/machine';
import { ClusterSpec } from './cluster';
import { DesiredState } from './desired-state';
import { MachineSpec } from './machine';
import { MachineClass } from './machine-class';
import { NodeSpec } from './node';
import { parseWith, type Parsed } from './parse';

/** Parses everything that one owner wants of one cluster, and checks each machine against the cluster and the others. */
export function parseDesiredState(json: unknown): Parsed<DesiredState> {
  return parseWith(DesiredState, json, desiredStateFindings);
}

/** Parses one machine; against its cluster too, when that is given. Paths begin with `machines[<id>]`, as in a document. */
export function parseMachine(json: unknown, cluster?: ClusterSpec): Parsed<MachineSpec> {
  return parseWith(
    MachineSpec,
    json,
    machine => [
      ...machineFindings(machine),
      ...(cluster === undefined ? [] : allowanceFindings(machine, cluster)),
    ],
    ['machines', 0],
  );
}

/** Parses a cluster alone. */
export function parseCluster(json: unknown): Parsed<ClusterSpec> {
  return parseWith(ClusterSpec, json, clusterFindings, ['cluster']);
}

/** Parses what is said about one node. */
export function parseNode(json: unknown): Parsed<NodeSpec> {
  return parseWith(NodeSpec, json, () => [], ['nodes', 0]);
}

/** Parses a class of machines. */
export function parseMachineClass(json: unknown): Parsed<MachineClass> {
  return parseWith(MachineClass, json, () => [], ['classes', 0]);
}
