import type { ClusterSpec } from '../../spec';
import type { ClusterAccess } from '../config/config';
import { Run } from '../run/run';
import { Shared } from '../run/shared';
import { connect, type Pve, type PveConfig } from '../pve';
import type { Fleet } from '../placement/fleet-nodes';
import { accessFor } from './access-for';
import type { Surroundings } from '../input/surroundings';

/** Works with a connection to a cluster, and closes it whatever comes. */
export async function withPve<T>(way: PveConfig, work: (pve: Pve) => Promise<T>): Promise<T> {
  const pve = connect(way);
  try {
    return await work(pve);
  } finally {
    await pve.close();
  }
}

/** Reads a cluster once and works on it. `fleet`: whose new machines are placed together. */
export function withRun<T>(
  { cluster, pve: way, preferredNodes }: ClusterAccess,
  { reporter: { report }, signal }: Surroundings,
  fleet: Fleet | undefined,
  work: (run: Run) => Promise<T>,
): Promise<T> {
  return withPve(way, async pve =>
    work(await Run.open(new Shared(pve, cluster), { report, signal, fleet, preferredNodes })),
  );
}

/** Works on the one cluster of a Terraform call, of which nothing is read yet. */
export async function withOneRun<T>(
  cluster: ClusterSpec,
  around: Surroundings,
  work: (run: Run) => Promise<T>,
  fleet?: Fleet,
): Promise<T> {
  const [access] = accessFor([cluster], around);
  if (access === undefined) throw new Error('one cluster was asked for, and none came back');
  const { cluster: spec, pve: way, preferredNodes } = access;
  const { reporter, signal } = around;
  const input = { report: reporter.report, signal, fleet, preferredNodes };
  return withPve(way, pve => work(new Run(new Shared(pve, spec), input)));
}
