import type { HandlerTable } from '../../cluster/call';
import { guestVisibility } from '../../views/visible-guests';

/** What backup jobs leave out. There are no jobs here: every guest. pve-manager API2/Cluster/BackupInfo.pm. */
export const clusterBackupInfoHandlers: HandlerTable = {
  'GET /cluster/backup-info': () => [{ subdir: 'not-backed-up' }],
  'GET /cluster/backup-info/not-backed-up': ({ sim, user }) => {
    const isSeen = guestVisibility(sim, user);
    return Object.values(sim.world.guests)
      .filter(({ vmid }) => isSeen(vmid))
      .map(({ vmid, type, config }) => ({
        vmid,
        type,
        name: config[type === 'lxc' ? 'hostname' : 'name'] ?? null,
      }));
  },
};
