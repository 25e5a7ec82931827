import type { Json } from '../cluster/lab';

const disks = (storage: string) => [{ name: 'root', storage, size: '4Gi' }];

/** One of each sort that incidents treat differently: pinned or not, with a disk of its node or a shared one, cloned or blank. */
export const dayMachines: Json[] = [
  { id: 'web', node: 'pve1', pin: true, image: { blank: true }, disks: disks('local-lvm') },
  {
    id: 'db',
    node: 'pve2',
    pin: true,
    image: { blank: true },
    disks: disks('local-lvm'),
    restart: 'whenNeeded',
  },
  { id: 'cache', image: { blank: true }, disks: disks('local-lvm'), tags: ['tier'] },
  { id: 'mail', node: 'pve3', pin: true, image: { blank: true }, restart: 'whenNeeded' },
  { id: 'clone', image: { template: 9000 }, disks: [{ name: 'root', storage: 'shared', size: '12Gi' }] },
  { id: 'bare', image: { blank: true } },
  { id: 'queue', node: 'pve2', image: { blank: true }, restart: 'whenNeeded' },
  { id: 'proxy', image: { blank: true }, restart: 'whenNeeded', tags: ['edge'] },
].map(machine => ({
  memory: '1Gi',
  cpu: { cores: 2 },
  networks: [{ name: 'lan', bridge: 'vmbr0' }],
  ...machine,
}));
