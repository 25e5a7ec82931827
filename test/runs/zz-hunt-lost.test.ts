import { administratorOf } from '../support/cluster/administrator';
import type { Json, Lab } from '../support/cluster/lab';
import { lab } from '../support/cluster/lab';
import { daemonLab, until } from '../support/daemon/daemon-lab';
import { lineLab } from '../support/runs/line-lab';

/** What a hunt for harm has found: each test says what happens today, and not what should. */

const disk = (name: string, size: string, more: Json = {}): Json => ({
  name,
  size,
  storage: 'local-lvm',
  ...more,
});
const db: Json = {
  id: 'web',
  node: 'pve1',
  image: { blank: true },
  memory: '1Gi',
  shutdownTimeout: '1s',
  disks: [disk('root', '8G'), disk('data', '4G')],
};

describe('with one connection', () => {
  let cluster: Lab;
  beforeEach(async () => {
    cluster = await lab({ isOneConnection: true });
  });
  afterEach(() => cluster.close());
  const config = () => cluster.world.guests[10_000]!.config;
  const byHand = async (form: Record<string, string>, what = 'config'): Promise<void> => {
    expect(await administratorOf(cluster)('PUT', `/nodes/pve1/qemu/10000/${what}`, form)).toBe(true);
  };

  test('a disk that somebody grows has the machine destroyed with all disks, where rebuildOn has "disks"', async () => {
    const wanted = { ...db, rebuildOn: ['disks'] };
    expect(await cluster.bring(wanted)).toEqual([]);
    const { smbios1 } = config();
    await byHand({ disk: 'scsi1', size: '+2G' }, 'resize');
    expect(await cluster.bring(wanted)).toEqual([]);
    expect(config()['smbios1']).not.toBe(smbios1);
    expect(config()['scsi1']).toContain('size=4G');
  });

  test('volumes that somebody swaps: the disk that leaves takes the volume of the one that stays', async () => {
    const some = (...names: string[]): Json => ({
      ...db,
      power: 'stopped',
      disks: [disk('root', '8G'), ...names.map(name => disk(name, '4G', { onRemove: 'delete' }))],
    });
    expect(await cluster.bring(some('data', 'logs'))).toEqual([]);
    const { scsi1: data = '', scsi2: logs = '' } = config();
    await byHand({ delete: 'scsi1,scsi2' });
    await byHand({ scsi1: logs, scsi2: data });
    expect(await cluster.bring(some('data'))).toEqual([]);
    expect(Object.values(config())).not.toContain(data);
    expect(config()['scsi1']).toBe(logs);
  });

  test('a restart of ours brings what somebody else left pending, and no plan names it', async () => {
    const wanted = { ...db, restart: 'whenNeeded' };
    expect(await cluster.bring(wanted)).toEqual([]);
    await byHand({ sockets: '2', cores: '8' });
    cluster.events.length = 0;
    expect(await cluster.bring({ ...wanted, memory: '2Gi' })).toEqual([]);
    expect(cluster.world.guests[10_000]!.pending).toEqual({});
    expect(config()).toMatchObject({ sockets: '2', cores: '8' });
    expect(JSON.stringify(cluster.events)).not.toMatch(/cores|sockets/);
  });

  test('a new name is told as live, and the guest has the old one until it boots', async () => {
    const wanted = {
      id: 'web',
      node: 'pve1',
      image: { template: 9000 },
      networks: [{ name: 'lan', ipv4: 'dhcp' }],
    };
    expect(await cluster.bring(wanted)).toEqual([]);
    cluster.events.length = 0;
    expect(await cluster.bring({ ...wanted, name: 'front' })).toEqual([]);
    expect(cluster.world.guests[10_000]!.cloudInitImage).toMatchObject({ name: 'web' });
    expect(JSON.stringify(cluster.events)).not.toContain('restart');
  });
});

test('the daemon destroys a machine of which somebody has grown a disk', async () => {
  const there = await daemonLab([{ ...db, rebuildOn: ['disks'] }]);
  try {
    there.start();
    const [guest] = await until(
      () => there.guests('web'),
      found => found.some(({ running }) => running !== null),
    );
    const { smbios1, scsi1 = '' } = guest!.config;
    guest!.config['scsi1'] = scsi1.replace('size=4G', 'size=6G');
    await until(
      () => there.guests('web'),
      found => found.some(({ config }) => config['smbios1'] !== smbios1 && config['scsi1'] !== undefined),
    );
  } finally {
    await there.close();
  }
});

test('with `adopt: true` left in the code, a second state takes a machine of the first, and destroys it', async () => {
  const there = await lineLab({ timeScale: 50 });
  try {
    const made = { vmid: '777', name: 'old', scsi0: 'local-lvm:1' };
    expect(await administratorOf(there)('POST', '/nodes/pve1/qemu', made)).toBe(true);
    const web = { id: 'web', vmid: 777, adopt: true, power: 'unmanaged' };
    expect(await there.apply(web, { entry: 'e1' })).toMatchObject({ code: 0 });
    const { told } = await there.observe({ web }, { web: 'e2' });
    expect(told['web.diff']).toContain('VM 777');
    expect(told['web.diff']).not.toMatch(/e1|state/);
    expect(told['web.refusal']).toBe('');
    expect(await there.apply(web, { entry: 'e2', token: told['web.token'] ?? '' })).toMatchObject({
      code: 0,
    });
    expect(await there.destroy('web', { entry: 'e2' })).toMatchObject({ code: 0 });
    expect(there.world.guests[777]).toBeUndefined();
  } finally {
    await there.close();
  }
});
