import type { Config, Storage, Volume, World } from '../../../simulator/world';
import { labWorld } from '../cluster/lab';

const GIB = 1024 ** 3;
const MADE_AT = 1_700_000_000;

const STORAGES: Storage[] = [
  {
    storage: 'tank',
    type: 'zfspool',
    content: 'images,rootdir',
    shared: false,
    enabled: true,
    total: 900 * GIB,
  },
  { storage: 'ceph', type: 'rbd', content: 'images,rootdir', shared: true, enabled: true, total: 9000 * GIB },
];

/** Where machines and people put their disks. */
export const DISK_STORAGES = ['local-lvm', 'shared', 'tank', 'ceph', 'local'] as const;

/** A cluster of three nodes in use: five storages, two templates, ISOs of people, and foreign guests with snapshots and unused volumes. */
export function lossWorld(): World {
  const world = labWorld();
  world.storages.push(...structuredClone(STORAGES));
  world.volumes.push({ ...volumeOf('shared:iso/of-people.iso', null), content: 'iso', format: 'iso' });
  addForeign(world, 102, 'pve1', {
    name: 'old-shop',
    scsi0: 'shared:102/vm-102-disk-0.qcow2,size=2G',
    scsi1: 'local-lvm:vm-102-disk-0,size=1G',
    unused0: 'ceph:vm-102-disk-0',
    ide2: 'shared:iso/of-people.iso,media=cdrom',
  });
  addForeign(world, 103, 'pve2', { name: 'wiki', virtio0: 'ceph:vm-103-disk-0,size=3G' });
  return world;
}

function addForeign(world: World, vmid: number, node: string, config: Config): void {
  const texts = Object.values(config).filter(text => text.includes(`vm-${vmid}-`));
  for (const text of texts) {
    const volid = text.replace(/,.*/, '');
    const isLocal = volid.startsWith('local');
    world.volumes.push({ ...volumeOf(volid, isLocal ? node : null), vmid, snapshots: ['theirs'] });
  }
  world.guests[vmid] = {
    ...{ vmid, node, type: 'qemu', config: { ...config, memory: '512', parent: 'theirs' } },
    ...{ pending: {}, pendingDelete: {}, running: null, cloudInitImage: null },
    snapshots: {
      theirs: { config: { ...config, memory: '512' }, snaptime: MADE_AT, description: 'of somebody' },
    },
    system: { kind: 'none', bootMs: 0, agent: false, obeysShutdown: false },
  };
}

function volumeOf(volid: string, node: string | null): Volume {
  const format = volid.endsWith('.qcow2') ? 'qcow2' : 'raw';
  const storage = volid.slice(0, volid.indexOf(':'));
  return { volid, storage, node, content: 'images', format, size: GIB, ctime: MADE_AT };
}
