import { administratorOf } from '../../support/cluster/administrator';
import { lab, type Json, type Lab } from '../../support/cluster/lab';

const web: Json = {
  id: 'web',
  node: 'pve1',
  image: { blank: true },
  memory: '1Gi',
  shutdownTimeout: '1s',
  restart: 'whenNeeded',
  disks: [{ name: 'root', size: '8G', storage: 'local-lvm' }],
  networks: [{ name: 'lan', bridge: 'vmbr0' }],
};
const TOLD = /brings what somebody else left waiting in Proxmox/;
let cluster: Lab;
beforeEach(async () => {
  cluster = await lab({ isOneConnection: true });
  expect(await cluster.bring(web)).toEqual([]);
  cluster.events.length = 0;
});
afterEach(() => cluster.close());

const config = () => cluster.world.guests[10_000]!.config;
const byHand = async (form: Record<string, string>): Promise<void> => {
  expect(await administratorOf(cluster)('PUT', '/nodes/pve1/qemu/10000/config', form)).toBe(true);
};
const said = (): string => JSON.stringify(cluster.events);

test('a restart of ours names what somebody else left pending, and how to take it back', async () => {
  await byHand({ sockets: '2', cores: '8' });
  expect(await cluster.bring({ ...web, memory: '2Gi' })).toEqual([]);
  expect(said()).toMatch(TOLD);
  expect(said()).toContain('cores (none) -> 8; sockets (none) -> 2');
  expect(cluster.events.filter(({ kind }) => kind === 'warning')).toHaveLength(1);
  const [, keys = ''] = /qm set 10000 --revert ([a-z,]+)/.exec(said()) ?? [];
  expect(keys.split(',').sort()).toEqual(['cores', 'sockets']);
});

test('what the remedy takes back does not come', async () => {
  await byHand({ sockets: '2', cores: '8' });
  await byHand({ revert: 'cores,sockets' });
  expect(await cluster.bring({ ...web, memory: '2Gi' })).toEqual([]);
  expect(said()).not.toMatch(TOLD);
  expect(config()['cores']).toBeUndefined();
});

test('of a card or a disk, what the spec does not say of it', async () => {
  await byHand({ scsi0: `${config()['scsi0']},iothread=1` });
  expect(await cluster.bring({ ...web, memory: '2Gi' })).toEqual([]);
  expect(said()).toContain('scsi0');
  expect(said()).toMatch(TOLD);
});

test('not what the spec asks for, what waits without a restart, nor a disk that leaves', async () => {
  const never = { ...web, restart: 'never' };
  expect(await cluster.bring({ ...never, memory: '2Gi' })).toEqual([]);
  await byHand({ sockets: '2' });
  expect(await cluster.bring({ ...never, memory: '3Gi' })).toEqual([]);
  await byHand({ revert: 'sockets' });
  await byHand({ usb0: 'spice' });
  expect(await cluster.bring({ ...web, memory: '3Gi', disks: [], usb: [], cpu: { cores: 2 } })).toEqual([]);
  expect(said()).not.toMatch(TOLD);
});

test('not the EFI disk that the spec asks for in the same change as UEFI', async () => {
  const uefi = { ...web, bios: 'uefi', efiDisk: { storage: 'local-lvm' }, memory: '2Gi' };
  expect(await cluster.bring(uefi)).toEqual([]);
  expect(config()['efidisk0']).toContain('local-lvm');
  expect(said()).not.toMatch(TOLD);
});
