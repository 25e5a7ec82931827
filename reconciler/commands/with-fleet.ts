import type { ClusterSpec } from '../../spec';
import type { ClusterAccess } from '../config/config';
import { Fleet } from '../run/fleet';
import { connect, type Pve, type PveConfig } from '../pve';
import type { Company } from '../placement/roster';
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

/** Reads a cluster once and works on it. `company`: whose new machines are placed together. */
export function withFleet<T>(
  access: ClusterAccess,
  { reporter, signal }: Surroundings,
  company: Company | undefined,
  work: (fleet: Fleet) => Promise<T>,
): Promise<T> {
  return withPve(access.pve, async pve => {
    const fleet = await Fleet.open(pve, access.cluster, reporter.report, signal, company);
    fleet.preferredNodes = access.preferredNodes;
    return work(fleet);
  });
}

/** The same for the one cluster of a Terraform call. */
export async function withOneFleet<T>(
  cluster: ClusterSpec,
  around: Surroundings,
  work: (fleet: Fleet) => Promise<T>,
  company?: Company,
): Promise<T> {
  const [access] = accessFor([cluster], around);
  if (access === undefined) throw new Error('one cluster was asked for, and none came back');
  return withFleet(access, around, company, work);
}
