import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readIso } from '../../../simulator/guest/agent/iso9660';
import { writes } from '../../support/cluster/end-state';
import type { Json, Lab } from '../../support/cluster/lab';
import { lab } from '../../support/cluster/lab';

const userData = { packages: ['nginx'] };
const blank = {
  id: 'web',
  node: 'pve1',
  image: { blank: true },
  memory: '1Gi',
  disks: [{ name: 'root', size: '1G', storage: 'local-lvm' }],
  networks: [{ name: 'lan', ipv4: { address: '192.0.2.10/24', gateway: '192.0.2.1' } }],
  cloudInit: { userData },
};
const cloned = { ...blank, image: { template: 9000 }, disks: undefined };

let cluster: Lab;
beforeEach(async () => (cluster = await lab()));
afterEach(() => cluster.close());

const guest = () => cluster.world.guests[10_000]!;
const isos = () => cluster.world.volumes.filter(({ volid }) => volid.includes(':iso/pvr-'));
const medium = () =>
  Object.values(guest().config)
    .map(text => text.split(',')[0])
    .find(text => text?.includes(':iso/pvr-'));
const ownDrives = () => cluster.world.volumes.filter(({ volid }) => volid.includes('vm-10000-cloudinit'));
const bring = async (want: Json): Promise<void> => expect(await cluster.bring(want)).toEqual([]);
const files = () => {
  const [iso] = isos();
  const content = readIso(Buffer.from(iso?.text ?? '', 'latin1'));
  return Object.fromEntries([...(content?.files ?? [])].map(([name, bytes]) => [name, bytes.toString()]));
};

describe.each([
  ['from nothing', blank],
  ['by clone', cloned],
])('a machine that is made %s', (_, want) => {
  test('has its data before it starts, and then nothing is written', async () => {
    await bring(want);
    expect(isos().map(({ volid }) => volid)).toEqual([medium()]);
    expect(guest().running).not.toBeNull();
    const mac = /(?:[0-9A-F]{2}:){5}[0-9A-F]{2}/.exec(guest().config['net0'] ?? '')?.[0].toLowerCase();
    expect(files()['user-data']).toContain('nginx');
    expect(JSON.parse(files()['network-config'] ?? '')).toEqual({
      version: 2,
      ethernets: {
        eth0: {
          match: { macaddress: mac },
          'set-name': 'eth0',
          dhcp4: false,
          dhcp6: false,
          addresses: ['192.0.2.10/24'],
          routes: [{ to: '0.0.0.0/0', via: '192.0.2.1' }],
        },
      },
    });
    const order = writes(cluster.simulator);
    expect(order.findIndex(line => line.endsWith('/upload'))).toBeLessThan(
      order.findIndex(line => line.endsWith('/status/start')),
    );
    cluster.simulator.ledger.reset();
    await bring(want);
    expect(writes(cluster.simulator)).toEqual([]);
  });
});

test('changed data is a new medium for the running guest, and the old one goes', async () => {
  await bring(blank);
  const [old] = isos();
  cluster.simulator.ledger.reset();
  await bring({ ...blank, cloudInit: { userData: { packages: ['caddy'] } } });
  expect(isos().map(({ volid }) => volid)).toEqual([medium()]);
  expect(medium()).not.toBe(old?.volid);
  expect(files()['user-data']).toContain('caddy');
  expect(writes(cluster.simulator).map(line => line.replace(/pvr-[^/]*$/, 'it'))).toEqual([
    'POST /nodes/pve1/storage/shared/upload',
    'POST /nodes/pve1/qemu/10000/config',
    'DELETE /nodes/pve1/storage/shared/content/shared:iso/it',
  ]);
});

test('a destroy removes the ISO, and no other', async () => {
  await bring(blank);
  const foreign = { ...isos()[0]!, volid: 'shared:iso/pvr-aaaaaaaaaa-00000000000000000000.iso' };
  cluster.world.volumes.push(foreign);
  expect(await cluster.bring(undefined)).toEqual([]);
  expect(cluster.world.guests[10_000]).toBeUndefined();
  expect(isos()).toEqual([foreign]);
});

test('plain fields again: an own drive of Proxmox, and the ISO goes', async () => {
  await bring(blank);
  await bring({ ...blank, cloudInit: { user: 'admin' } });
  expect(isos()).toEqual([]);
  expect(medium()).toBeUndefined();
  expect(Object.values(guest().config)).toContainEqual(expect.stringContaining('vm-10000-cloudinit'));
  cluster.simulator.ledger.reset();
  await bring({ ...blank, cloudInit: { user: 'admin' } });
  expect(writes(cluster.simulator)).toEqual([]);
});

test("data in place of Proxmox's own drive: it is emptied first, so that its volume is freed", async () => {
  await bring({ ...blank, cloudInit: { user: 'admin' } });
  expect(ownDrives()).toHaveLength(1);
  await bring(blank);
  expect(ownDrives()).toEqual([]);
  expect(isos().map(({ volid }) => volid)).toEqual([medium()]);
});

test('cleared data is taken out, and its ISO goes', async () => {
  await bring(blank);
  const { cloudInit: _, ...plain } = blank;
  await bring({ ...plain, networks: [{ name: 'lan' }], clear: ['cloudInit.userData'] });
  expect(isos()).toEqual([]);
});

test('a file that is no YAML is refused before anything is sent, with its line and nothing of its text', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'user-data-'));
  const file = join(folder, 'user-data');
  writeFileSync(file, '#cloud-config\npassword:\n\tSECRET\n');
  const [told] = await cluster.bring({ ...blank, cloudInit: { userDataFrom: { file } } });
  rmSync(folder, { recursive: true });
  expect(told).toMatch(
    /web.*cloudInit\.userData is no YAML that cloud-init could read, at line 3, column 1: a tab/s,
  );
  expect(told).not.toContain('SECRET');
  expect(writes(cluster.simulator)).toEqual([]);
});

test('an ISO that a snapshot holds stays, and is told once, without an error of a request', async () => {
  await bring(blank);
  const changed = { ...blank, cloudInit: { userData: { packages: ['caddy'] } } };
  const [old] = isos();
  guest().snapshots['mine'] = { config: { ...guest().config }, snaptime: 1, description: '' };
  cluster.events.length = 0;
  await bring(changed);
  expect(isos()).toHaveLength(2);
  const told = cluster.events.flatMap(event => (event.kind === 'progress' ? [event.text] : []));
  expect(told.filter(text => text.includes(old!.volid))).toEqual([
    `${old!.volid} stays: guest 10000 on pve1 uses it, or a snapshot of it.`,
  ]);
  expect(told.filter(text => text.includes('again'))).toEqual([]);
});

describe('a second actor', () => {
  const detach = (): void => {
    const [slot = ''] = Object.entries(guest().config).find(([, text]) => text.includes(':iso/pvr-')) ?? [];
    guest().config[slot] = 'none,media=cdrom';
  };
  test.each<[string, () => void]>([
    ['takes the ISO out', detach],
    ['deletes it', () => void cluster.world.volumes.splice(cluster.world.volumes.indexOf(isos()[0]!), 1)],
    [
      'puts another file there by its name',
      () => void Object.assign(isos()[0]!, { text: 'x', size: 1, filesize: 1 }),
    ],
  ])('%s: it is as wanted again', async (_, act) => {
    await bring(blank);
    const before = files();
    act();
    await bring(blank);
    expect(isos().map(({ volid }) => volid)).toEqual([medium()]);
    expect(files()).toEqual(before);
  });

  test('uses the ISO in another guest: it stays until he does not', async () => {
    await bring(blank);
    const [old] = isos();
    const other = cluster.world.guests[cluster.others[0] ?? 0]!;
    other.config['ide0'] = `${old?.volid},media=cdrom`;
    const changed = { ...blank, cloudInit: { userData: { packages: ['caddy'] } } };
    await bring(changed);
    expect(isos()).toHaveLength(2);
    cluster.simulator.ledger.reset();
    await bring(changed);
    expect(writes(cluster.simulator)).toEqual([]);
    delete other.config['ide0'];
    await bring(changed);
    expect(isos().map(({ volid }) => volid)).toEqual([medium()]);
  });
});
