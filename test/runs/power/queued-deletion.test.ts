import { administratorOf } from '../../support/cluster/administrator';
import { desiredJson, lab, type Json, type Lab } from '../../support/cluster/lab';
import { programAccess } from '../../support/cluster/program-access';
import { terraformOn } from '../../support/runs/as-planned';
import { suspendToDisk } from '../../support/runs/suspended';
import { runLine } from '../../reconciler/walk/live';

const THEIRS = 'local-lvm:vm-10000-disk-5';
const root = { name: 'root', size: '1Gi', storage: 'local-lvm' };
const web: Json = {
  id: 'web',
  node: 'pve1',
  image: { blank: true },
  hotplug: [],
  power: 'unmanaged',
  restart: 'whenNeeded',
  shutdownTimeout: '1s',
  disks: [root],
};
const LOST = { slot: 'scsi5', volume: THEIRS, kind: 'disk', bytes: 2 ** 30 };

let cluster: Lab;
let onRead: () => void;
beforeEach(async () => {
  onRead = () => undefined;
  cluster = await lab({ before: ({ path }) => void (path.endsWith('/qemu/10000/pending') && onRead()) });
  expect(await cluster.bring({ ...web, power: 'running' })).toEqual([]);
  const guest = cluster.world.guests[10_000]!;
  guest.system = { kind: 'linux', bootMs: 0, agent: true, obeysShutdown: true };
  guest.config['scsi5'] = `${THEIRS},size=1G`;
  const [disk] = cluster.world.volumes.filter(({ vmid }) => vmid === 10_000);
  cluster.world.volumes.push({ ...disk!, volid: THEIRS });
  await byHand({ delete: 'scsi5', force: '1' });
  cluster.events.length = 0;
});
afterEach(() => cluster.close());

const byHand = async (form: Record<string, string>): Promise<void> =>
  expect(await administratorOf(cluster)('PUT', '/nodes/pve1/qemu/10000/config', form)).toBe(true);
/** Its own system shuts down: Proxmox leaves what waits to the next start. */
const goesOff = (): null => (cluster.world.guests[10_000]!.running = null);
const suspend = (): Promise<void> => suspendToDisk(cluster);
const volumes = (): string[] =>
  cluster.world.volumes.filter(({ vmid }) => vmid === 10_000).map(({ volid }) => volid);
const planned = async (): Promise<string> => {
  const spec = JSON.stringify(desiredJson([{ ...web, tags: ['a'] }]));
  return (await runLine(['plan', '--spec', '-'], programAccess(cluster.simulator), spec)).out;
};
const plans = () => cluster.events.flatMap(event => (event.kind === 'planned' ? [event.plan] : []));
const lost = () => plans().flatMap(({ losses }) => losses?.volumes ?? []);
const warnings = () => plans().flatMap(plan => plan.warnings ?? []);

describe('the end of a disk that somebody left waiting, by force', () => {
  it.each([
    ['a write to a guest that is off', 'The write, as the machine is off,', { tags: ['a'] }, goesOff],
    ['a start', 'The start', { power: 'running' }, goesOff],
    ['a restart', 'The restart', { cpu: { cores: 2 } }, undefined],
    ['a stop', 'The stop', { power: 'stopped' }, undefined],
  ])('is named as lost where %s brings it', async (_, what, change, before) => {
    before?.();
    expect(await cluster.bring({ ...web, ...change })).toEqual([]);
    // each round of the run says it until it is done
    expect([lost()[0], new Set(lost().map(({ slot }) => slot)).size]).toEqual([LOST, 1]);
    expect(volumes()).not.toContain(THEIRS);
    const [warning] = warnings();
    expect(warning?.text).toContain(`${what} also brings what somebody else left waiting in Proxmox`);
    expect(warning?.text).toContain(`scsi5 ${THEIRS},size=1G -> (none), and its volume is deleted`);
  });

  it('is not brought by a write to a guest that runs', async () => {
    expect(await cluster.bring({ ...web, tags: ['a'] })).toEqual([]);
    expect([...lost(), ...warnings()]).toEqual([]);
    expect(volumes()).toContain(THEIRS);
  });

  it('is named where the guest goes off between the listing and the write', async () => {
    onRead = goesOff;
    expect(await cluster.bring({ ...web, tags: ['a'] })).toEqual([]);
    const losses = plans().map(plan => plan.losses?.volumes.length ?? 0);
    expect(losses.slice(0, 2)).toEqual([0, 1]);
    expect(volumes()).not.toContain(THEIRS);
  });

  it('does not come once the line of the warning has taken it back', async () => {
    goesOff();
    expect(await planned()).toContain('(on pve1: qm set 10000 --revert scsi5)');
    await byHand({ revert: 'scsi5' });
    expect(await cluster.bring({ ...web, tags: ['a'] })).toEqual([]);
    expect(volumes()).toContain(THEIRS);
    expect([...lost(), ...warnings()]).toEqual([]);
  });

  it.each(['stop', 'shutdown', 'reboot', 'start'])('is not brought by power %s', async verb => {
    if (verb === 'start') goesOff();
    const power = () =>
      runLine(
        ['power', verb, 'web', '--spec', '-'],
        programAccess(cluster.simulator),
        JSON.stringify(desiredJson([web])),
      );
    expect(await power()).toMatchObject({
      code: 3,
      said: expect.stringContaining(
        `power ${verb} of VM 10000 on pve1 would also delete volume scsi5 1Gi`,
      ) as string,
    });
    expect(volumes()).toContain(THEIRS);
    await byHand({ revert: 'scsi5' });
    expect((await power()).code).toBe(0);
    expect(volumes()).toContain(THEIRS);
  });

  it('is not brought by the waking of a guest that was suspended to disk, and not called so', async () => {
    await suspend();
    expect(await cluster.bring({ ...web, power: 'running' })).toEqual([]);
    expect([...lost(), ...warnings()]).toEqual([]);
    expect(cluster.world.guests[10_000]!.running).not.toBeNull();
    expect(volumes()).toContain(THEIRS);
  });

  it('is named where a restart follows the waking', async () => {
    await byHand({ cores: '2' });
    await suspend();
    expect(await cluster.bring({ ...web, power: 'running', cpu: { cores: 2 } })).toEqual([]);
    expect(plans()[0]).toMatchObject({ restart: 'now', losses: { volumes: [LOST] } });
    expect(warnings()[0]?.text).toContain('The restart also brings');
    expect(volumes()).not.toContain(THEIRS);
  });

  it('goes with the restart after a waking that a plan of Terraform has shown', async () => {
    await byHand({ cores: '2' });
    await suspend();
    const want = { ...web, power: 'running', cpu: { cores: 2 } };
    const terraform = terraformOn(cluster);
    expect(await terraform.apply(want, await terraform.plan(want))).toEqual([]);
    expect(cluster.world.guests[10_000]).toMatchObject({ config: { cores: '2' }, pending: {} });
    expect(volumes()).not.toContain(THEIRS);
  });

  it.each(['start', 'resume'])('does not stop power %s from waking such a guest', async verb => {
    await suspend();
    const spec = JSON.stringify(desiredJson([web]));
    const ran = await runLine(['power', verb, 'web', '--spec', '-'], programAccess(cluster.simulator), spec);
    expect(ran).toMatchObject({ code: 0 });
    expect(cluster.world.guests[10_000]!.running).not.toBeNull();
    expect(volumes()).toContain(THEIRS);
  });

  it('is called LOST by the plan', async () => {
    goesOff();
    expect(await planned()).toContain(`LOST: volume scsi5 1Gi ${THEIRS}`);
  });

  it('stops even a lost mark from being written again, until it is taken back', async () => {
    goesOff();
    delete cluster.world.guests[10_000]!.config['description'];
    expect((await cluster.bring(web)).join()).toContain('somebody has left that waiting in Proxmox');
    expect(volumes()).toContain(THEIRS);
    await byHand({ revert: 'scsi5' });
    expect(await cluster.bring(web)).toEqual([]);
    expect(volumes()).toContain(THEIRS);
  });
});

test('a disk of the spec is written again, and stays', async () => {
  await byHand({ revert: 'scsi5' });
  await byHand({ delete: 'scsi0', force: '1' });
  goesOff();
  expect(await cluster.bring({ ...web, tags: ['a'] })).toEqual([]);
  expect(lost()).toEqual([]);
  expect(volumes()).toContain('local-lvm:vm-10000-disk-0');
});
