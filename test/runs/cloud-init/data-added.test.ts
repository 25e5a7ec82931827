import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writes } from '../../support/cluster/end-state';
import type { Json, Lab } from '../../support/cluster/lab';
import { lab } from '../../support/cluster/lab';

const plain = { id: 'web', node: 'pve1', image: { template: 9000 }, networks: [{ name: 'lan' }] };
const cloudInit = { userData: { packages: ['nginx'] } };
const withData = { ...plain, cloudInit };

let cluster: Lab;
beforeEach(async () => {
  cluster = await lab();
  for (const { system } of Object.values(cluster.world.guests)) system.bootMs = 0;
});
afterEach(() => cluster.close());

const guest = () => cluster.world.guests[10_000]!;
const bring = async (want: Json): Promise<void> => {
  cluster.events.length = 0;
  expect(await cluster.bring(want)).toEqual([]);
};
/** What each round of the last run said about the data, and at what cost. */
const told = (): string[] =>
  cluster.events
    .flatMap(event => (event.kind === 'planned' ? event.plan.changes : []))
    .filter(({ field }) => field === 'cloudInit')
    .map(({ from, to, effect }) =>
      `${String(from)} > ${String(to)}: ${effect}`.replace(/data [0-9a-f]{6}/, 'DATA'),
    );

test('data for a machine that runs: the first plan tells it, with what it costs', async () => {
  const blank = { ...plain, image: { blank: true }, memory: '64Mi' };
  await bring(blank);
  await bring({ ...blank, cloudInit });
  expect(told()[0]).toMatch(/> an ISO with its data on shared: restart$/);
});

test('data that leaves a machine which runs costs one restart, and none for the boot order, where Proxmox put its drive', async () => {
  const ordered = { ...plain, bootOrder: ['disk'], restart: 'whenNeeded' };
  await bring({ ...ordered, cloudInit: { ...cloudInit, user: 'me' } });
  const { boot, running } = { boot: guest().config['boot'], running: guest().running };
  expect(boot).toMatch(/^order=scsi0;ide\d$/);
  await bring({ ...ordered, cloudInit: { user: 'me' } });
  expect(told()[0]).toBe('DATA on shared > shared:cloudinit: restart');
  expect(guest().config['boot']).toBe(boot);
  expect(guest().running?.since).not.toBe(running?.since);
  cluster.simulator.ledger.reset();
  await bring({ ...ordered, cloudInit: { user: 'me' } });
  expect(writes(cluster.simulator)).toEqual([]);
  expect(cluster.world.volumes.filter(({ volid }) => volid.includes(':iso/pvr-'))).toEqual([]);
});

test('data that comes back goes into the drive that it left, while the machine runs', async () => {
  await bring(withData);
  const [slot = ''] = Object.entries(guest().config).find(([, text]) => text.includes(':iso/pvr-')) ?? [];
  await bring({ ...plain, clear: ['cloudInit.userData'] });
  expect(guest().config[slot]).toBe('none,media=cdrom');
  await bring(withData);
  expect(told()).toEqual([
    'none > an ISO with its data on shared: restart',
    'none > DATA on shared: restart',
  ]);
  expect(guest().config[slot]).toContain(':iso/pvr-');
  expect(Object.keys(guest().pending)).toEqual(['smbios1']);
});

test('an empty drive of somebody else is left alone where the spec names a medium for it', async () => {
  const medium = 'shared:iso/debian-12.9.0-amd64-netinst.iso';
  await bring({ ...plain, power: 'stopped', cdrom: 'none' });
  const [drive = ''] = Object.entries(guest().config).find(([, text]) => text.startsWith('none')) ?? [];
  await bring({ ...withData, power: 'stopped', cdrom: medium });
  expect(guest().config[drive]).toContain(medium);
  expect(Object.values(guest().config).filter(text => text.includes(':iso/pvr-'))).toHaveLength(1);
});

test('going back to a snapshot with data and a password: both are those of now', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'password-'));
  const file = join(folder, 'password');
  writeFileSync(file, '$6$salt$hash');
  const said = { ...cloudInit, user: 'me', passwordFrom: { file } };
  await bring({ ...plain, cloudInit: said, snapshots: [{ name: 'clean' }] });
  await bring({ ...plain, cloudInit: said, revertTo: 'clean' });
  rmSync(folder, { recursive: true });
  expect(Object.values(guest().config).filter(text => text.includes(':iso/pvr-'))).toHaveLength(1);
});
