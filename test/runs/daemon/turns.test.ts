import { HeldRequests } from '../../support/cluster/held-requests';
import { daemonLab, until, type DaemonLab, type RunningDaemon } from '../../support/daemon/daemon-lab';

/** Who has his turn before whom, with one at work at a time. */
const ONE_AT_A_TIME = { MAX_CONCURRENT_RECONCILES: '1', RECONCILE_INTERVAL: '1h' };
const NAMES = ['m1', 'm2', 'm3', 'm4', 'm5', 'm6'];
const machine = (id: string) => ({ id, node: 'pve1', image: { blank: true }, memory: '1Gi' });

let held: HeldRequests;
let lab: DaemonLab;
beforeEach(() => (held = new HeldRequests()));
afterEach(() => lab.close());

const pathOf = (name: string): string => `/nodes/pve1/qemu/${lab.guests(name)[0]?.vmid}`;
/** How a machine is looked at. */
const lookAt = (name: string): string => `GET ${pathOf(name)}/pending`;
const lines = (): string[] => lab.simulator.ledger.entries().map(({ method, path }) => `${method} ${path}`);

async function allRun(names = NAMES): Promise<void> {
  for (const name of names)
    await until(
      () => lab.guests(name)[0]?.running ?? null,
      running => running !== null,
    );
}

/** Resolves when a round has read the cluster since. */
async function readingAfter(change: () => void): Promise<void> {
  const isRound = (line: string): boolean => line === 'GET /cluster/options';
  const before = lines().filter(isRound).length;
  change();
  await until(
    () => lines().filter(isRound).length,
    count => count > before,
  );
  // until its answers are there
  await new Promise(resolve => setTimeout(resolve, 500));
}

const isWaiting = async (daemon: RunningDaemon): Promise<boolean> =>
  /^proxmox_operator_queue_depth [1-9]/m.test(await daemon.metrics());

test('while a round looks at all machines, one that is changed is written before the others are read', async () => {
  lab = await daemonLab([...NAMES.map(machine), machine('leaves')], { before: held.before });
  lab.start({}, ONE_AT_A_TIME);
  await allRun([...NAMES, 'leaves']);
  // one has left: all are looked at
  const first = held.next(lookAt('m1'));
  lab.want(NAMES.map(machine));
  await first.met;
  await readingAfter(() =>
    lab.want(NAMES.map(id => ({ ...machine(id), ...(id === 'm6' && { tags: ['changed'] }) }))),
  );
  lab.simulator.ledger.reset();
  first.release();
  await until(
    () => lines(),
    seen => NAMES.slice(1).every(name => seen.includes(lookAt(name))),
  );
  const written = lines().indexOf(`PUT ${pathOf('m6')}/config`);
  const others = NAMES.slice(1, -1).map(name => lines().indexOf(lookAt(name)));
  expect(written).toBeGreaterThan(-1);
  expect(Math.min(...others)).toBeGreaterThan(written);
});

test('what leaves while it waits for its turn is not made', async () => {
  lab = await daemonLab(NAMES.map(machine), { before: held.before });
  const first = held.next('POST /nodes/pve1/qemu');
  lab.start({}, ONE_AT_A_TIME);
  await first.met;
  const stay = NAMES.filter(name => name !== 'm5');
  await readingAfter(() => lab.want(stay.map(machine)));
  first.release();
  for (const name of stay)
    await until(
      () => lab.guests(name).length,
      count => count === 1,
    );
  expect(lab.guests('m5')).toEqual([]);
});

test('what is asked for again, while its destroy waits for its turn, stays', async () => {
  lab = await daemonLab(NAMES.map(machine), { before: held.before });
  const daemon = lab.start({ prune: true }, { MAX_CONCURRENT_RECONCILES: '1' });
  await allRun();
  const [{ vmid } = { vmid: 0 }] = lab.guests('m6');
  const first = held.next(lookAt('m1'));
  await first.met;
  lab.want(NAMES.slice(0, -1).map(machine));
  await until(
    () => daemon.said('Orphan: nothing asks for it any more').length,
    count => count > 0,
  );
  await until(
    () => isWaiting(daemon),
    is => is,
  );
  await readingAfter(() => lab.want(NAMES.map(machine)));
  first.release();
  lab.simulator.ledger.reset();
  await until(
    () => lines(),
    seen => seen.includes(lookAt('m6')),
  );
  await new Promise(resolve => setTimeout(resolve, 1_000));
  expect(lab.writes()).toEqual([]);
  expect(lab.guests('m6').map(guest => guest.vmid)).toEqual([vmid]);
});
