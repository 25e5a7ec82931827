import type { Event } from '../../../reconciler/event';
import { ActsOnce } from '../../support/cluster/acts-once';
import { bootAll } from '../../support/cluster/boot-all';
import type { Json, Lab } from '../../support/cluster/lab';
import { desired, errorsOf, lab } from '../../support/cluster/lab';

// behaviour.md §16.2: after a stop and a start of ours `qm cleanup` has the guest's lock file for 30 s
const root = { name: 'root', size: '1Gi', storage: 'local-lvm' };
const data = { ...root, name: 'data' };
const web: Json = {
  id: 'web',
  image: { blank: true },
  node: 'pve1',
  restart: 'whenNeeded',
  memory: '1Gi',
  disks: [root, data],
  networks: [{ name: 'lan' }, { name: 'dmz' }],
};
const cold: Json = { ...web, hotplug: [] };
const withData: Json = { ...web, cloudInit: { user: 'me', userData: '#cloud-config\nhostname: a\n' } };

let cluster: Lab;
let acts: ActsOnce;
let told: (event: Event) => void;
beforeEach(async () => {
  told = () => undefined;
  acts = new ActsOnce();
  // ten times as fast: a lock file is waited for one second, and the clean-up takes three
  const speed = { taskMs: 500, timeScale: 10, cleanupMs: 30_000 };
  cluster = await lab({ ...speed, as: 'root', told: event => told(event), before: acts.asked });
});
afterEach(() => cluster.close());

const guest = () => Object.values(cluster.world.guests).find(({ config }) => config['name'] === 'web')!;
const bring = async (want: Json): Promise<string[]> => errorsOf(await cluster.run(desired([want])));
const isPassed = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

/** Makes the machine, and lets a system run in it. */
async function make(have: Json): Promise<void> {
  expect(await bring({ ...have, power: 'running' })).toEqual([]);
  guest().system = { kind: 'linux', bootMs: 0, agent: true, obeysShutdown: true };
  if (have['power'] !== undefined) expect(await bring(have)).toEqual([]);
  cluster.simulator.ledger.reset();
  cluster.events.length = 0;
}

const refused = () =>
  cluster.simulator.ledger
    .entries()
    .filter(({ write, status }) => write && status >= 400)
    .map(({ reason }) => reason);
const restarts = () =>
  cluster.simulator.ledger.entries().filter(({ path }) => path.endsWith('/status/start')).length;
const lines = () =>
  cluster.events.flatMap(event =>
    event.kind === 'progress' || event.kind === 'warning' ? [event.text] : [],
  );

const WRITTEN_BEFORE: Record<string, [Json, Json]> = {
  memory: [web, { ...web, memory: '2Gi', description: 'more', tags: ['a'] }],
  'the boot order': [web, { ...web, bootOrder: ['data'] }],
  'a card that leaves': [cold, { ...cold, networks: [{ name: 'lan' }] }],
  'a disk that is kept': [cold, { ...cold, disks: [root] }],
  'userData that comes': [web, { ...withData, cloudInit: { userData: '#cloud-config\nhostname: a\n' } }],
  'userData that leaves': [withData, { ...web, memory: '2Gi', cloudInit: { user: 'me' } }],
};

it.each(Object.entries(WRITTEN_BEFORE))(
  'a restart for %s leaves nothing to write: no write is refused, and nothing waits',
  async (_, [have, want]) => {
    await make(have);
    expect(await bring(want)).toEqual([]);
    expect([restarts(), refused()]).toEqual([1, []]);
    expect(lines().filter(line => /clean-up|tried again/.test(line))).toEqual([]);
    expect(guest()).toMatchObject({ running: expect.anything() as unknown, pending: {} });
    cluster.events.length = 0;
    expect(await bring(want)).toEqual([]);
    const plans = cluster.events.flatMap(event => (event.kind === 'planned' ? event.plan.actions : []));
    expect(plans).toEqual([]);
  },
);

const WAITS = /^waits for Proxmox's own clean-up after the restart of guest 10000: at most \d+s\.$/;
const WRITTEN_AFTER: Record<string, [Json, Json]> = {
  'a power that is unmanaged': [
    { ...web, power: 'unmanaged' },
    { ...web, power: 'unmanaged', memory: '2Gi' },
  ],
  'a volume that is freed': [
    { ...cold, disks: [root, { ...data, onRemove: 'delete' }] },
    { ...cold, disks: [root] },
  ],
  'a snapshot before the change': [
    { ...web, snapshotBeforeChange: true },
    { ...web, snapshotBeforeChange: true, memory: '2Gi' },
  ],
};

it.each(Object.entries(WRITTEN_AFTER))(
  'what must follow a restart, as for %s, waits for the clean-up with one line, and is not "tried again"',
  async (_, [have, want]) => {
    await make(have);
    expect(await bring(want)).toEqual([]);
    // one tells that this Proxmox locks: the next is sent when the lock is gone
    expect([restarts(), refused().length]).toEqual([1, 1]);
    expect(lines()).toEqual([expect.stringMatching(WAITS)]);
    expect(guest()).toMatchObject({ running: expect.anything() as unknown, pending: {} });
    expect(await bring(want)).toEqual([]);
    expect(guest().config['description']).not.toContain('"s":1');
  },
);

it('what one machine has met, another one of the run waits for without a refused write', async () => {
  const slow = { ...web, id: 'db', power: 'unmanaged', shutdownTimeout: '40s' };
  const both = (memory: string) => [
    { ...web, power: 'unmanaged', memory },
    { ...slow, memory },
  ];
  const running = both('1Gi').map(machine => ({ ...machine, power: 'running' }));
  expect(errorsOf(await cluster.run(desired(running)))).toEqual([]);
  bootAll(cluster);
  // it is stopped hard, long after the other one
  Object.values(cluster.world.guests).find(({ config }) => config['name'] === 'db')!.system.obeysShutdown =
    false;
  expect(errorsOf(await cluster.run(desired(both('1Gi'))))).toEqual([]);
  cluster.simulator.ledger.reset();
  cluster.events.length = 0;
  expect(errorsOf(await cluster.run(desired(both('2Gi'))))).toEqual([]);
  expect([restarts(), refused().length]).toEqual([2, 1]);
  expect(lines().filter(line => line.includes('tried again'))).toEqual([]);
  expect(lines().filter(line => line.includes("Proxmox's own clean-up"))).toHaveLength(2);
});

describe('a backup that somebody begins in the gap', () => {
  const isLocked = 'waits for guest 10000 on pve1, which is locked (backup)';
  const backUp = (): void => {
    guest().config['lock'] = 'backup';
    void isPassed(6_000).then(() => delete guest().config['lock']);
  };

  it('while the guest is off is told, and waited for', async () => {
    await make(cold);
    // the write of the configuration after that comes while the guest is off
    acts.before(/^POST \S+\/status\/shutdown$/, () => {
      acts.before(/^PUT \S+\/config$/, () => Promise.resolve(backUp()));
      return Promise.resolve();
    });
    expect(await bring({ ...cold, networks: [{ name: 'lan' }] })).toEqual([]);
    expect(refused()).toEqual(['checksum mismatch (file change by other user?)']);
    expect(lines().join('\n')).toContain(isLocked);
    expect(guest().running).not.toBeNull();
  });

  it('during the wait for the clean-up is told, and waited for', async () => {
    const have = { ...web, power: 'unmanaged' };
    await make(have);
    told = event => void (event.kind === 'progress' && WAITS.test(event.text) && backUp());
    expect(await bring({ ...have, memory: '2Gi' })).toEqual([]);
    expect(lines().join('\n')).toContain(isLocked);
    expect(guest().config['description']).not.toContain('"s":1');
  });
});

it('a card that left while the guest was off comes back with its mark where the guest does not start', async () => {
  await make(cold);
  const before = guest().config['description'];
  const want = { ...cold, networks: [{ name: 'lan' }], options: { args: '-nonsense' } };
  expect(await bring(want)).toEqual([expect.stringContaining('start failed: QEMU exited with code 1')]);
  expect(guest().config['net1']).toBeDefined();
  expect(guest().config['args']).toBeUndefined();
  expect(guest().running).not.toBeNull();
  expect(guest().config['description']).toBe(before);
});
