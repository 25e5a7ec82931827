import { applyEvent } from '../../../simulator/events/apply';
import { runLine } from '../../reconciler/walk/live';
import {
  desired,
  desiredJson,
  errorsOf,
  lab,
  type Json,
  type Lab,
  type LabOptions,
} from '../../support/cluster/lab';
import { programAccess } from '../../support/cluster/program-access';
import { blankMachine } from '../../support/runs/blank-machine';

// PVE: a guest is stopped without a quorum, and started by none (behaviour.md, errors)

const web: Json = { ...blankMachine, power: 'running', rebuildOn: ['disks'], timeouts: { apply: '1s' } };
const OURS = 10_000;

let cluster: Lab;
let lost: (request: string) => boolean;
const before: LabOptions['before'] = ({ method, path }) => {
  if (lost(`${method} ${path}`)) applyEvent(cluster.simulator.sim, { kind: 'quorum', quorate: false });
};
beforeEach(async () => {
  lost = () => false;
  cluster = await lab({ before });
  expect(await cluster.run(desired([{ ...web, snapshots: [{ name: 'clean' }] }])).then(errorsOf)).toEqual([]);
});
afterEach(() => cluster.close());

const guest = () => cluster.world.guests[OURS]!;
const stops = () =>
  cluster.simulator.sim.tasks.all().filter(({ type }) => /^qm(?:stop|shutdown|rollback|reboot)$/.test(type));
const line = (...words: string[]) =>
  runLine(
    [...words, '--spec', '-'],
    { ...programAccess(cluster.simulator), PVE_TASK_POLL_INTERVAL: '5ms' },
    JSON.stringify(desiredJson([web])),
  );

test.each([
  ['going back', ['snapshot', 'revert', 'web', 'clean', '--yes'], /^GET .*qemu.*\/snapshot$/],
  ['a reboot', ['power', 'reboot', 'web'], /^GET .*\/status\/current$/],
])('%s stops no guest that could not be started again', async (_, words, at) => {
  lost = request => at.test(request);
  const { code, said } = await line(...words);
  expect(code).not.toBe(0);
  expect(said).toMatch(/quorum/);
  expect(stops()).toEqual([]);
  expect(guest().running).not.toBeNull();
});

test('nor does a restart', async () => {
  guest().pending = { cores: '2' };
  lost = request => /^GET .*qemu\/10000\/pending$/.test(request);
  const errors = await cluster.bring({ ...web, cpu: { cores: 2 }, restart: 'whenNeeded' });
  expect(errors.join()).toMatch(/quorum/);
  expect(stops()).toEqual([]);
  expect(guest().running).not.toBeNull();
});

test('nor does one that is made anew', async () => {
  lost = request => /^GET .*qemu\/10000\/pending$/.test(request);
  const disks = [{ name: 'root', size: '2G', storage: 'local-lvm' }];
  const errors = await cluster.bring({
    ...web,
    disks,
    timeouts: { apply: '1s', destroy: '1s', create: '1s' },
  });
  expect(errors.join()).toMatch(/quorum/);
  expect(stops()).toEqual([]);
  expect(guest().running).not.toBeNull();
});

test('nor does a destroy that has read the quorum more than a second ago; it goes on once that is back', async () => {
  let isLost = false;
  lost = request => {
    if (isLost || !/^GET .*qemu\/10000\/pending$/.test(request)) return false;
    // this answer comes late
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_100);
    return (isLost = true);
  };
  const gone = cluster.bring(undefined);
  const told = () => cluster.events.some(event => event.kind === 'progress' && /quorum/.test(event.text));
  while (!told()) await new Promise(setImmediate);
  expect(stops()).toEqual([]);
  expect(guest().running).not.toBeNull();
  applyEvent(cluster.simulator.sim, { kind: 'quorum', quorate: true });
  expect(await gone).toEqual([]);
  expect(guest()).toBeUndefined();
});
