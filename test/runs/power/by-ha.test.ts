import { HeldRequests } from '../../support/cluster/held-requests';
import { lab, type Json, type Lab } from '../../support/cluster/lab';
import { blankMachine } from '../../support/runs/blank-machine';

const AT = '/nodes/pve1/qemu/10000';
const SID = 'vm:10000';
// a change that waits for a restart
const web: Json = {
  ...blankMachine,
  power: 'running',
  restart: 'whenNeeded',
  shutdownTimeout: '1s',
  hotplug: [],
};

let cluster: Lab;
let held: HeldRequests;
beforeEach(async () => {
  held = new HeldRequests();
  cluster = await lab({ before: held.before, as: 'root', taskMs: 0, timeScale: 50 });
  expect(await cluster.bring(web)).toEqual([]);
  guest().system = { kind: 'linux', bootMs: 0, agent: true, obeysShutdown: true };
});
afterEach(() => cluster.close());

const guest = () => cluster.world.guests[10_000]!;
const joinsHa = (): void => {
  cluster.world.ha.resources[SID] = { sid: SID, state: 'started', settings: {} };
  cluster.world.ha.services[SID] = { state: 'started', node: 'pve1', done: true, failures: 0 };
};

test('a machine that somebody gives to HA directly before its restart is off before it is started', async () => {
  const before = guest().running?.pid;
  const asked = held.next(`POST ${AT}/status/shutdown`);
  const ended = cluster.bring({ ...web, memory: '2Gi' });
  await asked.met;
  joinsHa();
  asked.release();
  expect(await ended).toEqual([]);
  expect(guest().running?.pid).not.toBe(before);
  expect(guest().pending).toEqual({});
});

test('what HA cannot start is put back as it was, or said to be off', async () => {
  joinsHa();
  const [error] = await cluster.bring({ ...web, options: { args: '-nonsense' } });
  expect(error).toBeDefined();
  const said = cluster.events.flatMap(event => (event.kind === 'warning' ? [event.text] : [])).join(' ');
  expect({ runs: guest().running !== null, said }).toEqual(
    guest().running === null
      ? { runs: false, said: expect.stringContaining('IS OFF') }
      : { runs: true, said: expect.stringMatching(/put back as it was|started again/) },
  );
});
