import type { ElsewhereFacts } from '../../machine/facts';
import type { ObservedGuest } from '../../observed';
import {
  PveError,
  listAcl,
  listBackupJobs,
  listHaRules,
  listReplicationJobs,
  readFirewall,
  type BackupJob,
  type Pve,
} from '../../pve';

type Unread = ElsewhereFacts['unread'][number];

/**
 * What names a guest's number elsewhere, and goes with a DELETE that purges: eight requests. What is not told is said to be
 * unread, and nothing fails by it: it decides nothing.
 */
export async function elsewhereOf(pve: Pve, guest: ObservedGuest): Promise<ElsewhereFacts> {
  const { vmid } = guest;
  const unread: Unread[] = [];
  const told = <T>(what: string, reading: Promise<T>): Promise<T | undefined> =>
    unlessUntold(reading, why => void unread.push({ what, why }));
  const [backups = [], replications = [], firewall, acl = [], haRules = []] = await Promise.all([
    told('backup jobs', listBackupJobs(pve)),
    told('replication jobs', listReplicationJobs(pve)),
    told('its firewall', readFirewall(pve, guest)),
    // PVE: of the others only the paths whose rules the caller may change; who may destroy a guest may change those of it
    told(`rights on /vms/${vmid}`, listAcl(pve)),
    told('rules of HA', listHaRules(pve, vmid)),
  ]);
  return {
    listedIn: backups.flatMap(({ id: job, ...lists }) => {
      const listed = numbersIn(lists.vmid);
      return listed.includes(vmid) ? [{ job, isAlone: listed.every(each => each === vmid) }] : [];
    }),
    excludedFrom: backups.filter(job => isExcluded(job, vmid)).map(({ id }) => id),
    replicatedBy: replications
      .filter(job => job.guest === vmid)
      .map(({ id: job, target }) => ({ job, target })),
    firewall,
    rights: acl
      .filter(({ path }) => path === `/vms/${vmid}`)
      .map(({ path, ugid: holder, roleid: role }) => ({ holder, role, path })),
    haRules: haRules.map(({ rule }) => rule),
    // to whom HA is nothing, its rules are nothing either
    unread: unread.filter(({ what }) => what !== 'rules of HA' || guest.haManaged),
  };
}

/** A list of guests wins over a list of exceptions: PVE keeps no job with both. */
function isExcluded({ vmid, exclude }: BackupJob, guest: number): boolean {
  return vmid === undefined && numbersIn(exclude).includes(guest);
}

function numbersIn(list = ''): number[] {
  return list
    .split(/[\s,;]+/)
    .filter(text => text !== '')
    .map(Number);
}

/** Undefined: it is not told, and `untold` hears why; or the server has no such thing. */
async function unlessUntold<T>(reading: Promise<T>, untold: (why: string) => void): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof PveError) || error.kind === 'unauthenticated') throw error;
    if (error.kind !== 'not-implemented') untold(error.said);
    return undefined;
  }
}
