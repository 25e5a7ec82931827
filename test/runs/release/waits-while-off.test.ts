import { administratorOf } from '../../support/cluster/administrator';
import { lab, type Json, type Lab } from '../../support/cluster/lab';
import { programAccess } from '../../support/cluster/program-access';
import { runLine } from '../../reconciler/walk/live';

const web: Json = {
  id: 'web',
  node: 'pve1',
  image: { blank: true },
  hotplug: [],
  disks: [
    { name: 'root', size: '1Gi', storage: 'local-lvm' },
    { name: 'data', size: '1Gi', storage: 'local-lvm' },
  ],
};
const DATA = 'local-lvm:vm-10000-disk-1';

let cluster: Lab;
beforeEach(async () => {
  cluster = await lab();
  expect(await cluster.bring(web)).toEqual([]);
});
afterEach(() => cluster.close());

const guest = () => cluster.world.guests[10_000]!;
const admin = async (method: 'PUT' | 'POST', below: string, form: Record<string, string>): Promise<void> =>
  expect(await administratorOf(cluster)(method, `/nodes/pve1/qemu/10000${below}`, form)).toBe(true);
const line = (...words: string[]) => runLine(words, programAccess(cluster.simulator), '');
const unmarked = (): void => {
  delete guest().config['description'];
  delete guest().config['tags'];
};
const isThere = (): boolean => cluster.world.volumes.some(({ volid }) => volid === DATA);

const RELEASE = ['release', '--owner', 'team/lab', '--yes', '--cluster', 'lab'];
const MOVE = ['owner', 'move', 'team/lab', 'team/other', '--yes'];
const ADOPT = ['adopt', '10000', '--owner', 'team/new', '--cluster', 'lab', '--yes'];

describe('what writes a mark alone touches no guest that is off and in which something waits', () => {
  it.each([
    ['release', RELEASE, undefined],
    ['owner move', MOVE, undefined],
    ['adopt', ADOPT, unmarked],
  ])('%s: until that is taken back', async (_, words, before) => {
    await admin('PUT', '/config', { delete: 'scsi1', force: '1' });
    guest().running = null;
    before?.();
    const { description } = guest().config;
    const refused = await line(...words);
    const said = refused.out + refused.said;
    expect(said).toContain('it is off, and what waits in Proxmox would take effect with any write to it');
    expect(said).toContain(`scsi1 ${DATA},size=1G -> (none), and its volume is deleted`);
    expect(said).toContain('(on pve1: qm set 10000 --revert scsi1)');
    expect(refused.code).toBe(3);
    expect({ isThere: isThere(), ...guest().config }).toMatchObject({
      isThere: true,
      scsi1: `${DATA},size=1G`,
    });
    expect(guest().config['description']).toBe(description);
    await admin('PUT', '/config', { revert: 'scsi1' });
    expect((await line(...words)).code).toBe(0);
    expect(isThere()).toBe(true);
    expect(guest().config['description']).not.toBe(description);
  });
});

test('one that runs is written to, and what waits goes on waiting', async () => {
  await admin('PUT', '/config', { cores: '4' });
  expect((await line(...MOVE)).code).toBe(0);
  expect(guest().pending).toMatchObject({ cores: '4' });
});

test('once it was started, as the refusal says, it goes on', async () => {
  await admin('PUT', '/config', { cores: '4' });
  guest().running = null;
  const refused = await line(...RELEASE);
  expect(refused.out + refused.said).toMatch(/cores \S+ -> 4.*start it \(qm start 10000\)/s);
  await admin('POST', '/status/start', {});
  expect((await line(...RELEASE)).code).toBe(0);
});

test('where nothing waits, nothing more is asked', async () => {
  guest().running = null;
  cluster.simulator.ledger.reset();
  expect((await line(...MOVE)).code).toBe(0);
  const asked = cluster.simulator.ledger.entries().map(({ route }) => route);
  expect(asked).not.toContain('/nodes/{node}/qemu/{vmid}/status/current');
});
