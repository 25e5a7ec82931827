import { runLine } from '../../reconciler/walk/live';
import { administratorOf } from '../../support/cluster/administrator';
import { desiredJson, lab, type Json, type Lab } from '../../support/cluster/lab';
import { programAccess } from '../../support/cluster/program-access';

const THEIRS = 'local-lvm:vm-10000-disk-5';
const web: Json = {
  id: 'web',
  node: 'pve1',
  image: { blank: true },
  hotplug: [],
  power: 'unmanaged',
  shutdownTimeout: '1s',
  disks: [{ name: 'root', size: '1Gi', storage: 'local-lvm' }],
  snapshots: [{ name: 'clean' }],
};

let cluster: Lab;
beforeEach(async () => {
  cluster = await lab({});
  expect(await cluster.bring({ ...web, power: 'running' })).toEqual([]);
  guest().system = { kind: 'linux', bootMs: 0, agent: true, obeysShutdown: true };
  guest().config['scsi5'] = `${THEIRS},size=1G`;
  const [disk] = cluster.world.volumes.filter(({ vmid }) => vmid === 10_000);
  cluster.world.volumes.push({ ...disk!, volid: THEIRS, snapshots: [] } as never);
  await byHand({ delete: 'scsi5', force: '1' });
  cluster.events.length = 0;
});
afterEach(() => cluster.close());

const guest = () => cluster.world.guests[10_000]!;
const byHand = async (form: Record<string, string>): Promise<void> =>
  expect(await administratorOf(cluster)('PUT', '/nodes/pve1/qemu/10000/config', form)).toBe(true);
const volumes = (): string[] =>
  cluster.world.volumes.filter(({ vmid }) => vmid === 10_000).map(({ volid }) => volid);
const firstPlan = () => cluster.events.flatMap(event => (event.kind === 'planned' ? [event.plan] : []))[0];
const told = () => (firstPlan()?.warnings ?? []).map(({ text }) => text).join('\n');
const revert = () =>
  runLine(
    ['snapshot', 'revert', 'web', 'clean', '--yes', '--spec', '-'],
    { ...programAccess(cluster.simulator), PVE_TASK_POLL_INTERVAL: '5ms' },
    JSON.stringify(desiredJson([web])),
  );

describe('going back to a snapshot, while the end of a disk waits by force', () => {
  it.each([
    ['runs', 'Going back', () => undefined],
    ['is off', 'The write, as the machine is off,', () => (guest().running = null)],
  ])('names it as lost where the guest %s', async (_, what, before) => {
    before();
    expect(await cluster.bring({ ...web, revertTo: 'clean' })).toEqual([]);
    expect(volumes()).not.toContain(THEIRS);
    expect(firstPlan()?.losses?.volumes).toEqual([
      { slot: 'scsi5', volume: THEIRS, kind: 'disk', bytes: 2 ** 30 },
    ]);
    expect(told()).toContain(`${what} also brings what somebody else left waiting in Proxmox`);
    expect(told()).toContain('and its volume is deleted');
    expect(told()).not.toContain('It stays as an unused disk');
  });

  it('says that it stays, and leaves it, once the line of the warning has taken it back', async () => {
    await byHand({ revert: 'scsi5' });
    expect(await cluster.bring({ ...web, revertTo: 'clean' })).toEqual([]);
    expect(volumes()).toContain(THEIRS);
    expect(firstPlan()?.losses).toBeUndefined();
    expect(told()).toContain('It stays as an unused disk');
  });

  it('says nothing of a value that waits, as that of the snapshot comes', async () => {
    await byHand({ revert: 'scsi5' });
    await byHand({ vga: 'std' });
    expect(guest().pending).toHaveProperty('vga');
    expect(await cluster.bring({ ...web, revertTo: 'clean' })).toEqual([]);
    expect(told()).not.toContain('vga');
    expect(guest().config).not.toHaveProperty('vga');
  });

  it('is refused by the verb, until that is taken back', async () => {
    const ran = await revert();
    expect(ran.said).toContain('going back would also delete volume scsi5 1Gi');
    expect(ran.said).toContain('(on pve1: qm set 10000 --revert scsi5)');
    expect({ code: ran.code, isOn: guest().running !== null }).toEqual({ code: 3, isOn: true });
    expect(volumes()).toContain(THEIRS);
    await byHand({ revert: 'scsi5' });
    expect(await revert()).toMatchObject({ code: 0 });
    expect(volumes()).toContain(THEIRS);
  });
});
