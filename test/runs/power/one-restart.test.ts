import { writes } from '../../support/cluster/end-state';
import { lab, type Json, type Lab } from '../../support/cluster/lab';
import { blankMachine } from '../../support/runs/blank-machine';

let cluster: Lab;
beforeEach(async () => (cluster = await lab()));
afterEach(() => cluster.close());

const disk = (more: Json): Json => ({ disks: [{ ...blankMachine.disks[0], ...more }] });
const runs: Json = { ...blankMachine, power: 'running' };

test('what waits already and the line of a disk that grows wait for one restart, not two', async () => {
  expect(await cluster.bring(runs)).toEqual([]);
  const guest = cluster.world.guests[10_000]!;
  guest.system = { kind: 'linux', bootMs: 0, agent: true, obeysShutdown: true };
  const more = { ...runs, cpu: { cores: 2 } };
  expect(await cluster.bring(more)).toEqual([]);
  expect(guest.pending).toMatchObject({ cores: '2' });
  cluster.simulator.ledger.reset();
  const wanted = { ...more, restart: 'whenNeeded', ...disk({ size: '9G', cache: 'writeback' }) };
  expect(await cluster.bring(wanted)).toEqual([]);
  const stops = writes(cluster.simulator).filter(line => /status\/(?:shutdown|stop|reboot)$/.test(line));
  expect(stops).toHaveLength(1);
  expect(guest.pending).toEqual({});
  expect(guest.config['scsi0']).toMatch(/cache=writeback.*size=9G/);
});
