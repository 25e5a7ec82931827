import { marked, writes } from '../../support/cluster/end-state';
import { HeldRequests } from '../../support/cluster/held-requests';
import { sharedLab, small, until, type SharedLab } from '../../support/processes/shared-lab';

const CREATE = '/nodes/pve1/qemu';

let lab: SharedLab;
let held: HeldRequests;
beforeEach(async () => {
  held = new HeldRequests();
  lab = await sharedLab({ before: held.before });
});
afterEach(() => lab.close());

const asked = (): number => lab.simulator.ledger.entries().length;
const creates = (): number =>
  lab.simulator.ledger.entries().filter(({ method, path }) => method === 'POST' && path === CREATE).length;

/** Starts an apply whose create is not done, nor counted, before `release`. */
async function heldCreate() {
  const { met, release } = held.next(`POST ${CREATE}`);
  const running = lab.apply(small('a'));
  await met;
  return { running, release };
}

test('a run whose client was killed keeps its turn; one that is interrupted while it waits does nothing', async () => {
  const { running, release } = await heldCreate();
  running.child.kill('SIGKILL');
  await running.ended;
  const next = lab.apply(small('a'));
  await next.said('waits until an earlier run');
  // another machine has no such turn: by its end the one that waits would have begun too
  expect((await lab.apply(small('b')).ended).code).toBe(0);
  next.child.kill('SIGINT');
  const { code, stderr } = await next.ended;
  expect({ code, stderr }).toEqual({ code: 130, stderr: expect.stringContaining('nothing is under way') });
  expect(creates()).toBe(1);
  release();
  expect((await lab.apply(small('a')).ended).code).toBe(0);
  expect(marked(lab.world, 'a').length).toBe(1);
});

test('a run that was left with a write that nobody answers keeps no worker', async () => {
  const { met } = held.next(`POST ${CREATE}`);
  const running = lab.apply(small('a'), { PVE_REQUEST_TIMEOUT: '10m' });
  await met;
  running.child.kill('SIGKILL');
  await until(() => lab.workers().length === 0);
  expect(lab.files()).toEqual([]);
});

test('an interrupted client whose worker is lost says that nobody can tell what is under way', async () => {
  const { running } = await heldCreate();
  running.child.kill('SIGINT');
  await running.said('SIGINT: nothing more is started; under way');
  lab.workers().forEach(pid => process.kill(pid, 'SIGKILL'));
  const { code, stderr } = await running.ended;
  expect({ code, stderr }).toEqual({
    code: 130,
    stderr: expect.stringContaining(
      'SIGINT: nothing more is started; the process that did this run has ended',
    ),
  });
});

test('two interrupts end the client at once, and its run keeps its turn until it has ended', async () => {
  const { running, release } = await heldCreate();
  running.child.kill('SIGINT');
  await running.said('SIGINT: nothing more is started');
  running.child.kill('SIGINT');
  expect((await running.ended).code).toBe(130);
  const next = lab.apply(small('a'));
  await next.said('waits until an earlier run');
  expect((await lab.apply(small('b')).ended).code).toBe(0);
  expect(creates()).toBe(1);
  release();
  expect((await next.ended).code).toBe(0);
  expect(marked(lab.world, 'a').length).toBe(1);
});

const web = {
  ...small('web'),
  power: 'running',
  restart: 'whenNeeded',
  // longer than a worker stays without a client
  shutdownTimeout: '5s',
  hotplug: [],
};

test('a client that is killed after its interrupt leaves a run that starts the machine again', async () => {
  expect((await lab.apply(web).ended).code).toBe(0);
  const [guest] = marked(lab.world, 'web');
  const running = lab.apply({ ...web, cpu: { cores: 2 } } as typeof web);
  await lab.asked(`/nodes/pve1/qemu/${guest!.vmid}/status/shutdown`);
  running.child.kill('SIGINT');
  await running.said('web was stopped by this run');
  running.child.kill('SIGKILL');
  await until(() => lab.workers().length === 0);
  const starts = writes(lab.simulator).filter(line => line.endsWith('/status/start'));
  expect(starts.length).toBe(2);
  expect(marked(lab.world, 'web')[0]?.running).not.toBeNull();
});

/** A worker that has no client, and stands still. */
async function stoppedWorker(): Promise<number> {
  expect((await lab.apply(small('first')).ended).code).toBe(0);
  const [pid = 0] = lab.workers();
  process.kill(pid, 'SIGSTOP');
  return pid;
}

test('a worker that was stopped does nothing for a client that was killed meanwhile', async () => {
  const pid = await stoppedWorker();
  const running = lab.apply(small('a'));
  await lab.connected();
  running.child.kill('SIGKILL');
  await running.ended;
  const before = asked();
  process.kill(pid, 'SIGCONT');
  await until(() => lab.workers().length === 0);
  expect(asked()).toBe(before);
});

test('a worker that is stopped before it said hello has no job; it ends when it goes on', async () => {
  const pid = await stoppedWorker();
  expect((await lab.apply(small('a')).ended).code).toBe(0);
  const before = asked();
  // the next one starts another
  expect((await lab.apply(small('b')).ended).code).toBe(0);
  const other = lab.workers().filter(each => each !== pid);
  expect(other).toHaveLength(1);
  expect(asked()).toBeGreaterThan(before);
  const sent = asked();
  process.kill(pid, 'SIGCONT');
  await until(() => lab.workers().length === 0);
  expect({ sent: asked(), files: lab.files() }).toEqual({ sent, files: [] });
  expect(['a', 'b'].map(id => marked(lab.world, id).length)).toEqual([1, 1]);
});

test('a worker that goes on after its client went on alone sends nothing, whatever it was told meanwhile', async () => {
  expect((await lab.apply(small('a')).ended).code).toBe(0);
  const [pid = 0] = lab.workers();
  // the last one before the write
  const { met, release } = held.next('GET /nodes/pve1/tasks');
  const running = lab.apply(small('a', { memory: '2Gi' }));
  await met;
  process.kill(pid, 'SIGSTOP');
  // the answer waits for it: when it goes on, its next request is due before it can see that its client is gone
  release();
  const { code, stderr } = await running.ended;
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringContaining('This run begins again, alone.'),
  });
  const sent = asked();
  process.kill(pid, 'SIGCONT');
  await until(() => lab.workers().length === 0);
  expect({ sent: asked(), files: lab.files(), made: marked(lab.world, 'a').length }).toEqual({
    ...{ sent, files: [], made: 1 },
  });
});
