import type { CliLab } from '../../support/processes/cli';
import { lineLabsAfter } from '../../support/runs/line-lab';

const web = { id: 'web', image: { blank: true }, memory: '768Mi' };
const grown = { ...web, memory: '1Gi' };
const restarts = { ...grown, restart: 'whenNeeded' };
const WARNING =
  'web: WARNING: waits for a restart: memory. Restart it (qm reboot 10000 on node pve1, or pve-reconciler power reboot web --spec FILE), or set restart: whenNeeded and run again.\n';

let open: Awaited<ReturnType<typeof lineLabsAfter>>;
let lab: CliLab;
beforeAll(async () => {
  open = await lineLabsAfter(first => first.people('reconcile', [web]));
});
beforeEach(async () => {
  // without a system it hears no shutdown: a minute is a second here
  lab = await open({ timeScale: 60 });
});
afterEach(() => lab.close());

test('a change that needs a restart: plan tells who restarts, before the write and after it', async () => {
  const never = await lab.people('plan', [grown]);
  expect(never.stdout).toContain('web: would write memory\n  memory: 768Mi -> 1Gi (waits for a restart)\n');
  const whenNeeded = await lab.people('plan', [restarts]);
  expect(whenNeeded.stdout).toContain(
    'web: would write memory, then restart\n  memory: 768Mi -> 1Gi (restart)\n',
  );

  await lab.people('reconcile', [grown]);
  const left = await lab.people('plan', [grown]);
  expect(left.stdout).toContain(
    'web: as wanted after a restart, which the spec does not allow\n  memory: 768Mi -> 1Gi (waits for a restart)\n',
  );
  expect(left.stdout).toContain('0 to change, 0 in sync, 0 refused, 1 waits for a restart.');
  const next = await lab.people('plan', [restarts]);
  expect(next.stdout).toContain('web: would restart\n  memory: 768Mi -> 1Gi (restart)\n');
});

test('a machine that is to stop needs no restart', async () => {
  const { stdout } = await lab.people('plan', [{ ...restarts, power: 'stopped' }]);
  expect(stdout).toContain('web: would write memory, then shut down\n');
});

test.each(['reconcile', 'apply'])('%s says once what waits now, and the remedy', async verb => {
  const ran = (spec: typeof web) => (verb === 'apply' ? lab.apply(spec) : lab.people(verb, [spec]));
  const never = await ran(grown);
  expect(never.code).toBe(0);
  expect(never.stderr.split(WARNING)).toHaveLength(2);
  if (verb === 'reconcile')
    expect(never.stderr).toContain('0 machines are as wanted, 1 waits for a restart.\n');
  expect((await ran(restarts)).stderr).not.toContain('waits for a restart');
});
