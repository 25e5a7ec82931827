import { runLine } from '../../reconciler/walk/live';
import { programAccess } from '../../support/cluster/program-access';
import type { CliLab } from '../../support/processes/cli';
import { lineLab } from '../../support/runs/line-lab';

/** A guest that Proxmox lists as running and that stands still is told so by whoever tells of it; nobody lets it go on. */

const web = { id: 'web', image: { template: 'ubuntu-22.04' }, agent: true };
let there: CliLab;
beforeEach(async () => {
  there = await lineLab({ timeScale: 50 });
  expect(await there.people('reconcile', [web])).toMatchObject({ code: 0 });
});
afterEach(() => there.close());

const guest = () => there.guests('web')[0]!;
const standsStill = (word: string): void => {
  guest().running!.qmp = word;
};
interface Outputs {
  phase: string;
  powerState: string;
  conditions: { status: string; reason: string; message: string }[];
}
async function status(): Promise<Outputs> {
  const { stdout } = await there.people('status', [web], ['-o', 'json']);
  return (JSON.parse(stdout) as { machines: { web: Outputs } }).machines.web;
}

const WORDS: [word: string, reason: string, phase: string, remedy: string][] = [
  ['io-error', 'IoError', 'Error', 'Free the storage, or bring it back, then run qm resume'],
  ['internal-error', 'InternalError', 'Error', 'Run qm stop'],
  ['guest-panicked', 'GuestPanicked', 'Error', 'Run qm stop'],
  ['watchdog', 'Watchdog', 'Error', 'Run qm stop'],
  ['paused', 'GuestPaused', 'Running', 'Run qm resume'],
  ['suspended', 'GuestSleeps', 'Running', 'Run qm resume'],
  ['debug', 'GuestPaused', 'Running', 'Run qm resume'],
];

test.each(WORDS)('%s: plan, status and reconcile say so', async (word, reason, phase, remedy) => {
  standsStill(word);
  const plan = await there.people('plan', [web], ['--check']);
  expect(plan).toMatchObject({ code: 4 });
  expect(plan.stdout).toContain('web: as wanted, but it stands still\n');
  expect(plan.stdout).toContain(`stands still (${word}): `);
  expect(plan.stdout).toContain('0 to change, 0 in sync, 0 refused, 1 stands still.');
  const message = expect.stringContaining(remedy) as string;
  const outputs = await status();
  expect(outputs).toMatchObject({ phase, powerState: 'paused' });
  expect(outputs.conditions[0]).toMatchObject({ status: 'False', reason, message });
  const done = await there.people('reconcile', [web]);
  expect(done).toMatchObject({ code: 1, stderr: message });
  expect(done.stderr).toContain('pve-reconciler power');
  expect(guest().running?.qmp).toBe(word);
});

const PASSING = ['inmigrate', 'postmigrate', 'finish-migrate', 'save-vm', 'restore-vm', 'shutdown', 'colo'];
test.each(PASSING)('%s passes by itself: nobody is told', async word => {
  standsStill(word);
  expect(await there.people('plan', [web], ['--check'])).toMatchObject({ code: 0 });
  expect(await there.people('reconcile', [web])).toMatchObject({ code: 0 });
  expect(await status()).toMatchObject({ phase: 'Running', powerState: 'running' });
});

test('a guest before its first instruction is told once that is no start any more', async () => {
  standsStill('prelaunch');
  const { running } = guest();
  const { since } = running!;
  running!.since = Number.MAX_SAFE_INTEGER;
  expect(await there.people('plan', [web], ['--check'])).toMatchObject({ code: 0 });
  running!.since = since - 3_600_000;
  expect(await there.people('plan', [web], ['--check'])).toMatchObject({ code: 4 });
  expect((await status()).conditions[0]).toMatchObject({ status: 'False', reason: 'GuestPaused' });
});

test('what a backup holds for a while, or what its own configuration freezes, is no fault', async () => {
  standsStill('paused');
  guest().config['freeze'] = '1';
  expect(await there.people('plan', [web], ['--check'])).toMatchObject({ code: 0 });
  expect((await status()).conditions[0]).toMatchObject({ status: 'True' });
  delete guest().config['freeze'];
  guest().config['lock'] = 'backup';
  expect((await status()).conditions[0]).toMatchObject({ status: 'True' });
});

test('where nobody keeps its power, a run warns and ends well', async () => {
  const free = { ...web, power: 'unmanaged' };
  standsStill('paused');
  expect((await there.people('plan', [free], ['--check'])).code).toBe(0);
  const done = await there.people('reconcile', [free]);
  expect(done).toMatchObject({ code: 0, stderr: expect.stringContaining('stands still (paused)') as string });
});

test('what is only observed differs by it', async () => {
  standsStill('io-error');
  const done = await there.people('reconcile', [{ ...web, mode: 'observe' }]);
  expect(done).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('stands still (io-error)') as string,
  });
});

test('a change is made all the same, and the run does not end well', async () => {
  standsStill('io-error');
  expect(await there.people('reconcile', [{ ...web, tags: ['new'] }])).toMatchObject({ code: 1 });
  expect(guest().config['tags']).toContain('new');
});

test('Terraform: the plan warns of this machine alone, its apply fails, and ends well once it goes on', async () => {
  standsStill('io-error');
  const { told } = await there.observe({ web });
  expect(told['web.alone']).toContain('stands still (io-error)');
  const token = told['web.token'] ?? '';
  expect(await there.apply(web, { token })).toMatchObject({ code: 1 });
  expect(guest().running?.qmp).toBe('io-error');
  standsStill('running');
  expect(await there.apply(web, { token })).toMatchObject({ code: 0 });
  expect((await there.observe({ web })).told['web.alone']).toBe('');
});

test('Terraform: the outputs tell it', async () => {
  standsStill('guest-panicked');
  const { told } = await there.facts('web', {});
  expect(told).toMatchObject({ phase: '"Error"', powerState: '"paused"' });
  expect(told['conditions']).toContain('"reason":"GuestPanicked"');
});

test('Terraform: an apply that changes something of it fails, too', async () => {
  standsStill('io-error');
  const changed = { ...web, tags: ['new'] };
  const { told } = await there.observe({ web: changed });
  expect(told['web.alone']).toContain('stands still (io-error)');
  expect(await there.apply(changed, { token: told['web.token'] ?? '' })).toMatchObject({ code: 1 });
  expect(guest().config['tags']).toContain('new');
});

test('an apply that waited in vain for the agent says why', async () => {
  const how = { waitFor: 'agent', restart: 'whenNeeded', timeouts: { agent: '2s' } };
  const waits = { ...web, ...how, memory: '3Gi' };
  guest().system.agent = false;
  const { told } = await there.observe({ web: waits });
  const done = there.apply(waits, { token: told['web.token'] ?? '' });
  const began = guest().running?.since;
  while (guest().running?.since === undefined || guest().running?.since === began)
    await new Promise(resolve => setTimeout(resolve, 20));
  standsStill('io-error');
  expect(await done).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('stands still (io-error)') as string,
  });
});

test('the power verbs know it: what stands still goes on, what cannot is to be stopped first', async () => {
  standsStill('io-error');
  expect(await there.people('power', [web], ['resume', 'web'])).toMatchObject({ code: 0 });
  expect(guest().running?.qmp).toBe('running');
  standsStill('internal-error');
  const refused = await there.people('power', [web], ['resume', 'web']);
  expect(refused).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('Do power stop first') as string,
  });
  expect(await there.people('power', [web], ['stop', 'web'])).toMatchObject({ code: 0 });
  expect(await there.people('reconcile', [web])).toMatchObject({ code: 0 });
  expect(guest().running?.qmp).toBe('running');
});

test('power suspend says what the next apply does about it', async () => {
  const free = { ...web, power: 'unmanaged' };
  const fails = 'The next apply leaves it so, and fails';
  expect((await there.people('power', [web], ['suspend', 'web'])).stderr).toContain(fails);
  expect((await there.people('power', [free], ['suspend', 'web'])).stderr).not.toContain(fails);
});

test.each([
  ['io-error', 'fault'],
  ['paused', 'warning'],
])('doctor names %s as a %s', async (word, level) => {
  standsStill(word);
  const told = await runLine(['doctor', '--json'], programAccess(there.simulator));
  const { findings } = JSON.parse(told.out) as { findings: object[] };
  const says = expect.stringMatching(/machine web of .* stands still/) as string;
  expect(findings).toContainEqual(expect.objectContaining({ check: 'power', level, says }));
});
