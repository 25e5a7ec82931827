import { fail } from '../failure';
import { splitList } from '../perl-text';
import type { Config, World } from '../world';

/** The guest of a replication job, which stands in its id. */
export function guestOfReplication(id: string): number {
  return Number(id.split('-')[0]);
}

/** Fails where a guest is replicated. PVE: pve-guest-common ReplicationConfig.pm, check_for_existing_jobs. */
export function refuseReplicated({ replicationJobs = {} }: World, vmid: number): void {
  const id = Object.keys(replicationJobs).find(job => guestOfReplication(job) === vmid);
  if (id !== undefined)
    fail(`There is a replication job '${id}' for guest '${vmid}' - Please remove that first.`);
}

/** Fails where a guest that runs would leave the nodes that it is replicated to. PVE: API2/Qemu.pm, migrate_vm. */
export function refuseToLeaveReplicas({ replicationJobs = {} }: World, vmid: number, target: string): void {
  const jobs = Object.entries(replicationJobs).filter(([id]) => guestOfReplication(id) === vmid);
  if (jobs.length > 0 && !jobs.some(([, job]) => job['target'] === target))
    fail(
      `Cannot live-migrate replicated VM to node '${target}' - not a replication target. Use 'force' to override.`,
    );
}

/**
 * Takes a guest out of all jobs. A list of guests that is empty then takes its backup job with it; a list of exceptions
 * only itself. PVE: pve-guest-common VZDump/Plugin.pm and ReplicationConfig.pm.
 */
export function leaveJobs({ backupJobs = {}, replicationJobs = {} }: World, vmid: number): void {
  for (const id of Object.keys(replicationJobs)) {
    if (guestOfReplication(id) === vmid) delete replicationJobs[id];
  }
  for (const [id, job] of Object.entries(backupJobs)) {
    const list = job['vmid'] === undefined ? 'exclude' : 'vmid';
    if (job[list] !== undefined && !leaveList(job, list, vmid) && list === 'vmid') delete backupJobs[id];
  }
}

/** Whether anybody is left in the list. */
function leaveList(job: Config, list: string, vmid: number): boolean {
  const left = splitList(job[list]).filter(member => member !== String(vmid));
  if (left.length === 0) delete job[list];
  else job[list] = left.join(',');
  return left.length > 0;
}
