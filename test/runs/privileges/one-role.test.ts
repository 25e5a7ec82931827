import { runLine } from '../../reconciler/walk/live';
import { runPveum } from '../../support/cluster/pveum';
import { desiredJson, lab, type Lab } from '../../support/cluster/lab';
import { programAccess } from '../../support/cluster/program-access';
import { blankMachine } from '../../support/runs/blank-machine';

const web = { ...blankMachine, id: 'web' };
const other = { ...web, pool: 'prod' };

let cluster: Lab;
beforeEach(async () => (cluster = await lab({ taskMs: 5 })));
afterEach(() => cluster.close());

const run = (verb: string, machine: object, env: object, ...more: string[]) =>
  runLine(
    [verb, '--spec', '-', ...more],
    { ...programAccess(cluster.simulator), PVE_TASK_POLL_INTERVAL: '5ms', ...env },
    JSON.stringify(desiredJson([{ ...machine }])),
  );

const pveumLines = (text: string): string =>
  text
    .split('\n')
    .map(line => line.trim().replace(/ {4}#.*$/, ''))
    .filter(line => line.startsWith('pveum'))
    .join('\n');

test('one role of a given name is all that a machine needs, and grows by what a later one needs', async () => {
  const { out } = await run('permissions', web, {}, '--role', 'Machines');
  expect(out).toContain("pveum acl modify / --roles Machines --users 'proxmox@pve'");
  expect(out).not.toContain('pvr-');
  const token = await runPveum(cluster.simulator, pveumLines(out));
  expect(await run('permissions', web, token, '--check')).toMatchObject({ code: 0 });
  expect((await run('reconcile', web, token)).code).toBe(0);

  const before = cluster.world.access.roles['Machines'] ?? [];
  const lacks = await run('permissions', other, token, '--check', '--role', 'Machines');
  expect(lacks.code).toBe(3);
  // this token has no privilege separation: the lines for one without are comments
  const lines = lacks.out.split('\n').map(line => line.replace(/^# (?=pveum)/, ''));
  const fitting = lines.filter(line => !line.includes('--tokens')).join('\n');
  await runPveum(cluster.simulator, pveumLines(fitting), token);
  expect(cluster.world.access.roles['Machines']).toEqual(expect.arrayContaining(before));
  expect(await run('permissions', other, token, '--check')).toMatchObject({ code: 0 });
  expect((await run('reconcile', other, token)).code).toBe(0);
});

test('doctor gives what lacks in that role', async () => {
  const { out } = await run('permissions', web, {}, '--role', 'Machines');
  const token = await runPveum(cluster.simulator, pveumLines(out));
  cluster.world.access.roles['Machines'] = cluster.world.access.roles['Machines']!.filter(
    name => name !== 'VM.Allocate',
  );
  const doctor = await run('doctor', web, token, '--role', 'Machines');
  expect(doctor.out).toContain('pveum role modify Machines --append 1 --privs VM.Allocate\n');
  expect(doctor.out).toContain("pveum acl modify / --roles Machines --users 'proxmox@pve'");
  expect(doctor.out).not.toContain('pvr-');
});

test.each(['PVEOurs', 'a b', 'Administrator'])('%j is no name for a role', async name => {
  const { code, said } = await run('permissions', web, {}, '--role', name);
  expect(code).toBe(2);
  expect(said).toContain('--role: ');
});
