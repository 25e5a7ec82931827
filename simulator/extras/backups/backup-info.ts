import type { HandlerTable } from '../../cluster/call';
import { findNamed } from '../../own-keys';
import { guestVisibility } from '../../views/visible-guests';
import type { World } from '../../world';
import { namedGuests } from './chosen-guests';

/** What backup jobs leave out. pve-manager API2/Cluster/BackupInfo.pm. */
export const clusterBackupInfoHandlers: HandlerTable = {
  'GET /cluster/backup-info': () => [{ subdir: 'not-backed-up' }],
  'GET /cluster/backup-info/not-backed-up': ({ sim, user }) => {
    const isSeen = guestVisibility(sim, user);
    const backedUp = inJobs(sim.world);
    return Object.values(sim.world.guests)
      .filter(({ vmid }) => isSeen(vmid) && !backedUp.has(vmid))
      .map(({ vmid, type, config }) => ({
        vmid,
        type,
        name: config[type === 'lxc' ? 'hostname' : 'name'] ?? null,
      }));
  },
};

/** The guests of all jobs, those that are off too. Assumed: a job of a pool that is gone has none. */
function inJobs(world: World): Set<number> {
  const jobs = Object.values(world.backupJobs ?? {}).filter(
    ({ pool }) => pool === undefined || findNamed(world.pools, pool) !== undefined,
  );
  return new Set(jobs.flatMap(job => namedGuests(world, job)));
}
