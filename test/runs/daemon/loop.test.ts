import { applyEvent } from '../../../simulator/events/apply';
import { administratorOf } from '../../support/cluster/administrator';
import { daemonLab, until, type DaemonLab } from '../../support/daemon/daemon-lab';

const web = { id: 'web', node: 'pve1', image: { blank: true }, memory: '1Gi' };
const db = { id: 'db', node: 'pve2', pin: true, image: { blank: true } };
const RUNNING = /Running/;

let lab: DaemonLab;
afterEach(() => lab.close());

const phaseOf = async (daemon: { machine: (id: string) => Promise<object> }, id: string): Promise<string> =>
  String(Object.entries(await daemon.machine(id)).find(([name]) => name === 'phase')?.[1]);

test('makes what is wanted, and then only reads', async () => {
  lab = await daemonLab([web, db]);
  const daemon = lab.start();
  await until(
    async () => [await phaseOf(daemon, 'web'), await phaseOf(daemon, 'db')],
    phases => phases.every(phase => RUNNING.test(phase)),
  );
  const made = daemon.said('Successfully created VM');
  expect(made.map(({ machine, vmid, node }) => ({ machine, vmid, node }))).toEqual(
    expect.arrayContaining([
      { machine: 'web', vmid: expect.any(Number), node: 'pve1' },
      { machine: 'db', vmid: expect.any(Number), node: 'pve2' },
    ]),
  );
  const before = lab.writes().length;
  const reads = (): number => lab.simulator.ledger.entries().length;
  const then = reads();
  await until(reads, now => now > then + 20);
  expect(lab.writes()).toHaveLength(before);
});

test('a round reads the list of the guests once', async () => {
  lab = await daemonLab([web]);
  const daemon = lab.start();
  await until(
    () => phaseOf(daemon, 'web'),
    phase => phase === 'Running',
  );
  lab.simulator.ledger.reset();
  const count = (path: string): number =>
    lab.simulator.ledger.entries().filter(entry => entry.path === path).length;
  await until(
    () => count('/cluster/options'),
    rounds => rounds > 5,
  );
  expect(count('/cluster/resources')).toBeLessThanOrEqual(count('/cluster/options') + 1);
});

test('brings back what somebody edits, stops and deletes', async () => {
  lab = await daemonLab([web]);
  const daemon = lab.start();
  const administrator = administratorOf(lab);
  await until(
    () => phaseOf(daemon, 'web'),
    phase => phase === 'Running',
  );
  const vmid = (): number => lab.guests('web')[0]?.vmid ?? 0;
  const first = vmid();
  await administrator('PUT', `/nodes/pve1/qemu/${first}/config`, { delete: 'tags' });
  await until(
    () => lab.guests('web')[0]?.config['tags'],
    text => text?.includes('pvr-') === true,
  );
  await administrator('POST', `/nodes/pve1/qemu/${first}/status/stop`);
  await until(
    () => lab.guests('web')[0]?.running,
    now => now !== null && now !== undefined,
  );
  await administrator('POST', `/nodes/pve1/qemu/${first}/status/stop`);
  await administrator('DELETE', `/nodes/pve1/qemu/${first}`);
  await until(
    () => daemon.said('Successfully created VM').length,
    count => count === 2,
  );
  await until(
    () => lab.guests('web').map(({ running }) => running !== null),
    all => all.join() === 'true',
  );
});

test('what is only observed or paused is not written to', async () => {
  lab = await daemonLab([
    { ...web, mode: 'observe' },
    { ...db, mode: 'paused' },
  ]);
  const daemon = lab.start();
  await until(
    () => daemon.machine('web'),
    told => JSON.stringify(told).includes('is not created'),
  );
  expect(await daemon.machine('db')).toMatchObject({ mode: 'paused' });
  expect(lab.writes()).toEqual([]);
});

test('takes a new spec at once, and tries again what was refused for the old one', async () => {
  lab = await daemonLab([{ ...web, networks: [{ name: 'lan', bridge: 'vmbr9' }] }]);
  const daemon = lab.start();
  await until(
    () => daemon.said('Bridge not found'),
    lines => lines.length > 0,
  );
  expect(await daemon.machine('web')).toMatchObject({ phase: 'Error', waitsForNewSpec: true });
  lab.want([{ ...web, networks: [{ name: 'lan', bridge: 'vmbr0' }] }]);
  await until(
    () => phaseOf(daemon, 'web'),
    phase => phase === 'Running',
  );
  expect(daemon.said('Bridge not found')).toHaveLength(1);
});

test('a machine that fails stops no other, and comes when its node is back', async () => {
  lab = await daemonLab([web, db]);
  applyEvent(lab.simulator.sim, { kind: 'node', action: 'node-down', node: 'pve2' });
  const daemon = lab.start();
  await until(
    () => phaseOf(daemon, 'web'),
    phase => phase === 'Running',
  );
  await until(
    () => phaseOf(daemon, 'db'),
    phase => phase === 'Error',
  );
  applyEvent(lab.simulator.sim, { kind: 'node', action: 'node-up', node: 'pve2' });
  await until(
    () => phaseOf(daemon, 'db'),
    phase => phase === 'Running',
  );
  expect(daemon.said('A node is back')).toMatchObject([{ level: 'info', node: 'pve2', cluster: 'lab' }]);
  applyEvent(lab.simulator.sim, { kind: 'node', action: 'node-down', node: 'pve3' });
  const [told] = await until(
    () => daemon.said('Lost a node'),
    lines => lines.length > 0,
  );
  expect(told).toMatchObject({ level: 'warn', node: 'pve3', cluster: 'lab' });
});

test('two daemons at once make each machine once', async () => {
  lab = await daemonLab([web, db]);
  const [one, other] = [lab.start(), lab.start()];
  for (const daemon of [one, other])
    for (const id of ['web', 'db'])
      await until(
        () => phaseOf(daemon, id),
        phase => phase === 'Running',
      );
  expect([lab.guests('web').length, lab.guests('db').length]).toEqual([1, 1]);
});

test('a clock that is set back holds up no round, nor the next try of what failed', async () => {
  const lost = { id: 'lost', node: 'pve1', image: { template: 4711 } };
  lab = await daemonLab([web, lost]);
  const daemon = lab.start();
  await until(
    async () => [await phaseOf(daemon, 'web'), await phaseOf(daemon, 'lost')],
    phases => phases.join() === 'Running,Error',
  );
  const { nextTry } = await daemon.machine('lost');
  const waitMs = Date.parse(String(nextTry)) - Date.now();
  expect([waitMs > 200_000, waitMs <= 300_000]).toEqual([true, true]);
  const rounds = (): number =>
    lab.simulator.ledger.entries().filter(({ path }) => path === '/cluster/options').length;
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => new Date().getTime() - 3_600_000);
  try {
    const then = rounds();
    await new Promise(resolve => setTimeout(resolve, 2_000));
    expect(rounds()).toBeGreaterThan(then + 1);
  } finally {
    clock.mockRestore();
  }
});
