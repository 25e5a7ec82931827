import type { ElsewhereFacts } from '../../machine/facts';
import type { ObservedGuest } from '../../observed';
import {
  listAcl,
  listBackupJobs,
  listReplicationJobs,
  readFirewall,
  type BackupJob,
  type Pve,
} from '../../pve';
import { unlessUntold, type Unread } from './unless-untold';
import { rulesNaming } from './ha-rules';

/**
 * What names a guest's number elsewhere, and goes with a DELETE that purges: eight requests. What is not told is said to be
 * unread, and nothing fails by it: it decides nothing.
 */
export async function elsewhereOf(pve: Pve, guest: ObservedGuest): Promise<ElsewhereFacts> {
  const { vmid } = guest;
  const unread: Unread[] = [];
  const told = <T>(what: string, reading: Promise<T>): Promise<T | undefined> =>
    unlessUntold(reading, why => void unread.push({ what, why }));
  const [backups = [], replications = [], firewall, acl = [], ha] = await Promise.all([
    told('backup jobs', listBackupJobs(pve)),
    told('replication jobs', listReplicationJobs(pve)),
    told('its firewall', readFirewall(pve, guest)),
    // PVE: of the others only the paths whose rules the caller may change; who may destroy a guest may change those of it
    told(`rights on /vms/${vmid}`, listAcl(pve)),
    rulesNaming(pve, vmid),
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
    haRules: ha.rules,
    // to whom HA is nothing, its rules are nothing either
    unread: [...unread, ...(guest.haManaged ? ha.unread : [])],
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
