import { runLine } from '../../reconciler/walk/live';
import { administratorOf } from '../../support/cluster/administrator';
import { bootAll } from '../../support/cluster/boot-all';
import { HeldRequests } from '../../support/cluster/held-requests';
import { desiredJson, lab, type Json, type Lab } from '../../support/cluster/lab';
import { programAccess, takeWrites } from '../../support/cluster/program-access';
import { blankMachine } from '../../support/runs/blank-machine';

let cluster: Lab;
afterEach(() => cluster.close());

const PAUSED = 'paused';
const guest = (vmid = 10_000) => cluster.world.guests[vmid]!;
const writes = (): string[] => takeWrites(cluster.simulator);
const status = (deed: string): string => `POST /nodes/pve1/qemu/10000/status/${deed}`;

/** A cluster whose machine `web` is as it is wanted. */
async function begin(want: Json): Promise<void> {
  cluster = await lab();
  expect(await cluster.bring({ ...blankMachine, ...want })).toEqual([]);
  writes();
}
const power = (line: string[], want: Json, more: Json[] = []) =>
  runLine(
    ['power', ...line, '--spec', '-'],
    { ...programAccess(cluster.simulator), PVE_TASK_POLL_INTERVAL: '5ms' },
    JSON.stringify(desiredJson([{ ...blankMachine, ...want }, ...more])),
  );

test.each([
  ['start', 'stopped', 'runs.', true],
  ['stop', 'running', 'is off.', false],
  ['shutdown', 'running', 'is off.', false],
  ['reboot', 'running', 'was rebooted.', true],
  ['reset', 'running', 'was reset.', true],
  ['suspend', 'running', 'is paused.', true],
])('power %s of a machine that is %s: it %s', async (deed, is, says, runs) => {
  await begin({ power: is, forceStop: true, shutdownTimeout: '1s' });
  bootAll(cluster);
  const ran = await power([deed, 'web'], { power: 'unmanaged', forceStop: true, shutdownTimeout: '1s' });
  expect(ran).toMatchObject({ code: 0, said: expect.stringContaining(`web: ${says}`) });
  expect(writes()).toEqual([status(deed)]);
  expect(guest().running !== null).toBe(runs);
});

test('a machine that is paused goes on with resume, and with nothing else but stop', async () => {
  await begin({ power: 'running' });
  const same = { power: 'running' };
  await power(['suspend', 'web'], same);
  expect(guest().running?.qmp).toBe(PAUSED);
  writes();
  for (const deed of ['start', 'shutdown', 'reboot', 'reset']) {
    const refused = await power([deed, 'web'], same);
    expect(refused).toMatchObject({
      code: 3,
      said: expect.stringContaining(
        `VM 10000 on pve1 is paused: it takes no ${deed}. Do power resume first.`,
      ),
    });
  }
  expect(writes()).toEqual([]);
  expect(await power(['resume', 'web'], same)).toMatchObject({ code: 0 });
  expect(guest().running?.qmp).toBe('running');
});

test('a guest that is none of ours: it is not touched, and nothing tells how to destroy it', async () => {
  await begin({ power: 'running' });
  await administratorOf(cluster)('POST', '/nodes/pve2/qemu', { vmid: '555', name: 'dns' });
  writes();
  const { code, said } = await power(['reboot', 'web', 'dns'], { power: 'running' });
  expect([code, writes()]).toEqual([2, []]);
  expect(said).toContain('there is no machine "dns" in the desired state.');
  expect(said).toContain('a guest that was never in it is left to Proxmox, or adopted first');
  expect(said).not.toContain('destroy');
});

test('what is so already is said, and nothing is sent', async () => {
  await begin({ power: 'stopped' });
  const { code, said } = await power(['stop', 'web'], {});
  expect({ code, said }).toEqual({
    code: 0,
    said: expect.stringContaining('web: is off already: nothing was sent.'),
  });
  expect(said).not.toContain('stopping');
  expect(await power(['reboot', 'web'], {})).toMatchObject({
    code: 3,
    said: expect.stringContaining('is off: it takes no reboot. Do power start first.'),
  });
  expect(writes()).toEqual([]);
});

test('what the next apply does about it is said, where the spec says the power', async () => {
  await begin({ power: 'running' });
  const stopped = await power(['stop', 'web'], { power: 'running' });
  expect(stopped.said).toContain('The next apply starts it again, as the spec says.');
  const started = await power(['start', 'web'], { power: 'stopped' });
  expect(started.said).toContain('The next apply shuts it down again');
  const unmanaged = await power(['stop', 'web'], { power: 'unmanaged' });
  expect(unmanaged.said).not.toContain('next apply');
});

test('several machines: one that is refused stops no other, and --json tells those that were done', async () => {
  await begin({ power: 'stopped' });
  const ran = await power(['start', 'web', 'db', '--json'], {}, [{ ...blankMachine, id: 'db' }]);
  expect(ran.code).toBe(3);
  expect(JSON.parse(ran.out)).toEqual({
    machines: [{ machine: 'web', vmid: 10_000, node: 'pve1', power: 'running' }],
  });
  expect(ran.said).toContain('the machine is not there');
});

test('a machine that HA holds is started through HA, and this waits until it runs', async () => {
  await begin({ power: 'stopped' });
  await administratorOf(cluster)('POST', '/cluster/ha/resources', { sid: 'vm:10000', state: 'stopped' });
  writes();
  expect(await power(['start', 'web'], { power: 'running' })).toMatchObject({ code: 0 });
  expect(guest().running).not.toBeNull();
  expect(cluster.simulator.sim.tasks.all().map(({ type }) => type)).toContain('hastart');
});

test.each([
  ['of nobody', (text: string) => text.replace(/<!-- pvr:.*/, '')],
  ['of another owner', (text: string) => text.replace('"o":"team/lab"', '"o":"others"')],
  ['of a mark that cannot be read', (text: string) => text.replace('{"v":1', '{"v":')],
])('a guest %s is not touched', async (_, alter) => {
  await begin({ power: 'running' });
  guest().config['description'] = alter(guest().config['description'] ?? '');
  expect((await power(['stop', 'web'], {})).code).toBe(3);
  expect(writes()).toEqual([]);
});

test('somebody takes the guest between the reading and the write: nothing is sent', async () => {
  const held = new HeldRequests();
  cluster = await lab({ before: held.before });
  await cluster.bring({ ...blankMachine, power: 'running' });
  writes();
  const reading = held.next('GET /nodes/pve1/qemu/10000/status/current');
  const stopping = power(['stop', 'web'], {});
  await reading.met;
  guest().config['description'] = 'theirs';
  reading.release();
  expect(await stopping).toMatchObject({ code: 1, said: expect.stringContaining('is not ours any more') });
  expect(writes()).toEqual([]);
});

test('a machine whose creation was cut short is not started: its disks and its configuration are not whole', async () => {
  await begin({ power: 'stopped' });
  const { config } = guest();
  config['description'] = config['description']!.replace('{"v":1', '{"v":1,"b":1');
  delete config['tags'];
  expect(await power(['start', 'web'], { power: 'running' })).toMatchObject({
    code: 3,
    said: expect.stringContaining('its creation is not finished. Run reconcile or an apply first'),
  });
  expect(writes()).toEqual([]);
});

test.each([
  [['strat', 'web'], 'Did you mean start?'],
  [['start', 'wbe'], 'Did you mean "web"?'],
])('a mistyped word names the closest, and nothing is sent: %s', async (line, says) => {
  await begin({ power: 'stopped' });
  expect(await power(line, {})).toMatchObject({ code: 2, said: expect.stringContaining(says) });
  expect(writes()).toEqual([]);
});

test('protection is no matter; a machine that is only observed is left alone', async () => {
  await begin({ power: 'stopped', protection: true });
  expect((await power(['start', 'web'], { protection: true })).code).toBe(0);
  writes();
  const observed = await power(['stop', 'web'], { mode: 'observe' });
  expect(observed).toMatchObject({ code: 2, said: expect.stringContaining('mode: observe') });
  expect(writes()).toEqual([]);
});
