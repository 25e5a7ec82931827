import { HOSTILE, strangeIn } from '../../support/cluster/hostile-text';
import type { CliLab } from '../../support/processes/cli';
import { cliLab, desiredText, run, start } from '../../support/processes/cli';

const web = { id: 'web', image: { template: 'ubuntu-22.04' }, networks: [{ name: 'lan' }] };
const db = { id: 'db', image: { blank: true }, power: 'stopped' };

let lab: CliLab;
beforeEach(async () => {
  lab = await cliLab();
});
afterEach(() => lab.close());

test('plan --check, reconcile, plan again, status', async () => {
  const planned = await lab.people('plan', [web, db], ['--check']);
  expect(planned.code).toBe(4);
  expect(planned.stdout).toContain('web: would clone VM');
  expect(planned.stdout).toContain('2 to change, 0 in sync, 0 refused.');
  expect(lab.writes()).toEqual([]);

  const done = await lab.people('reconcile', [web, db]);
  expect({ code: done.code, stdout: done.stdout }).toEqual({ code: 0, stdout: '' });
  expect(done.stderr).toMatch(/^db: Successfully created VM 1000\d on pve1/m);

  lab.writes();
  expect((await lab.people('plan', [web, db], ['--check'])).code).toBe(0);
  expect((await lab.people('reconcile', [web, db], ['--quiet'])).stderr).toBe('');
  expect(lab.writes()).toEqual([]);

  const { stdout } = await lab.people('status', [web, db]);
  const [head, ...rows] = stdout.trim().split('\n');
  expect(head).toMatch(/^MACHINE +PHASE +NODE +VMID +ADDRESSES +RESTART$/);
  expect(rows.map(row => row.split(/ +/).slice(0, 3))).toEqual([
    // placed after db, on the emptiest node then
    ['web', 'Running', 'pve2'],
    ['db', 'Stopped', 'pve1'],
  ]);
});

test('results as JSON and YAML, events as JSON', async () => {
  const plan = await lab.people('plan', [web], ['--json']);
  expect(JSON.parse(plan.stdout)).toMatchObject({ machines: [{ machine: 'web', refusals: [] }] });
  const { stdout, stderr } = await lab.people('reconcile', [web], ['--json']);
  expect(JSON.parse(stdout)).toMatchObject({ machines: { web: { phase: 'Running', vmid: 10000 } } });
  const events = stderr
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as { event?: string; machine?: string });
  expect(events).toContainEqual(expect.objectContaining({ machine: 'web', event: 'finished', vmid: 10000 }));
  expect((await lab.people('status', [web], ['-o', 'yaml'])).stdout).toMatch(
    /^machines:\n {2}web:\n {4}vmid: 10000\n/,
  );
  expect(JSON.parse((await lab.people('status', [web], ['-o', 'json'])).stdout)).toMatchObject({
    cluster: { quorate: true },
  });
});

test('a refusal exits 3, and the others are done all the same', async () => {
  const foreign = Object.values(lab.world.guests).find(({ type }) => type === 'qemu')!;
  const taken = { ...db, id: 'taken', vmid: foreign.vmid };
  const { code, stderr } = await lab.people('reconcile', [taken, db]);
  expect(code).toBe(3);
  expect(stderr).toContain(`taken: REFUSED: VM ${foreign.vmid} already exists`);
  expect(lab.guests('db')).toHaveLength(1);
  expect((await lab.people('plan', [taken])).code).toBe(3);
});

describe('wrong input exits 2, names what is wrong, and sends nothing', () => {
  test.each([
    ['no JSON', ['plan', '--spec', '-'], '{"version": 1,', /the desired state on stdin is no valid JSON/],
    [
      'an unknown field',
      ['plan', '--spec', '-'],
      desiredText([{ ...web, memmory: '1Gi' }]),
      /Did you mean "memory"/,
    ],
    [
      'no such file',
      ['plan', '--spec', '/no/such/file'],
      '',
      /\/no\/such\/file cannot be read \(ENOENT\)\. Name one that is there/,
    ],
    ['no desired state', ['reconcile'], '', /--spec FILE/],
    ['a mistyped verb', ['recncile'], '', /did you mean 'reconcile'/],
    ['a mistyped flag', ['plan', '--spek', '-'], '', /--spec/],
    ['a mistyped form', ['status', '--spec', '-', '-o', 'jsn'], '', /Did you mean json/],
    ['a mistyped machine', ['status', 'wbe', '--spec', '-'], desiredText([web]), /Did you mean 'web'/],
  ])('%s', async (_, args, input, said) => {
    const { code, stdout, stderr } = await run(args, lab.access, input);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(said);
    expect(lab.simulator.ledger.entries()).toEqual([]);
  });
});

test.each(['plan', 'reconcile', 'status', 'observe', 'apply', 'destroy', 'facts'])(
  '%s --help has examples',
  async verb => {
    const { code, stdout } = await run([verb, '--help']);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`Examples:\\n.*pve-reconciler ${verb}`));
  },
);

test("who gives Terraform's apply a desired state is told which verb takes one", async () => {
  const { code, stderr } = await run(['apply', '--spec', 'desired.json']);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringMatching(
      /unknown option '--spec'\nTerraform calls apply\. By hand write: pve-reconciler reconcile --spec desired\.json/,
    ) as string,
  });
});

test('the help of a subcommand is its own, and that of all names each', async () => {
  const { stdout } = await run(['snapshot', 'revert', '--help']);
  expect(stdout).toContain('revert  Goes back to a snapshot, after asking');
  expect(stdout).toContain('pve-reconciler snapshot revert web');
  expect(stdout).not.toMatch(/snapshot (?:list|create|delete) web|Takes a snapshot/);
  const whole = (await run(['snapshot', '--help'])).stdout;
  for (const word of ['list', 'create', 'revert', 'delete'])
    expect(whole).toMatch(new RegExp(`^  ${word} +[A-Z].*`, 'm'));
});

describe('an interrupt', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s says what is under way, starts nothing more and exits %i', async (signal, code) => {
    await lab.close();
    lab = await cliLab({ taskMs: 60_000 });
    const running = start(['reconcile', '--spec', '-'], lab.access, desiredText([web]));
    await running.said('web: cloning VM');
    running.child.kill(signal);
    const ended = await running.ended;
    expect(ended.code).toBe(code);
    expect(ended.stderr).toMatch(/under way in Proxmox:\n {2}web: cloning VM \d+ to VM 10000 on pve1/);
    expect(lab.writes()).toEqual([expect.stringMatching(/^POST .*\/clone$/)]);
  });
});

describe('a second interrupt', () => {
  test.each([
    ['SIGINT', 'SIGINT', 130],
    ['SIGINT', 'SIGTERM', 143],
    ['SIGTERM', 'SIGINT', 130],
  ] as const)('%s, then %s, ends at once with %s', async (first, second, code) => {
    // an answer that does not come: the first interrupt waits for it
    lab.simulator.faults.add({ path: '/version', effect: { kind: 'slow', ms: 600_000, work: 'not-done' } });
    const running = start(['reconcile', '--spec', '-'], lab.access, desiredText([web]));
    await lab.asked('/access/permissions');
    running.child.kill(first);
    await running.said('nothing more is started; nothing is under way');
    running.child.kill(second);
    expect(await running.ended).toMatchObject({ code });
    expect(lab.writes()).toEqual([]);
  });
});

test('an unchecked certificate is warned of in every run', async () => {
  const env = { ...lab.access, PVE_CA_BUNDLE: '', PVE_INSECURE_SKIP_VERIFY: 'true' };
  const { code, stderr } = await run(['plan', '--spec', '-', '--quiet'], env, desiredText([db]));
  expect(code).toBe(0);
  expect(stderr).toContain('WARNING: the certificate of cluster lab is not checked');
});

test('the server is known by its fingerprint', async () => {
  const env = { ...lab.access, PVE_CA_BUNDLE: '', PVE_FINGERPRINT: lab.simulator.fingerprint };
  expect((await run(['plan', '--spec', '-'], env, desiredText([db]))).code).toBe(0);
  const wrong = { ...env, PVE_FINGERPRINT: 'AA:'.repeat(31) + 'AA' };
  const { code, stderr } = await run(['plan', '--spec', '-'], wrong, desiredText([db]));
  expect(code).toBe(1);
  expect(stderr).toContain('fingerprint');
});

test('what is typed and where files go is visible too', async () => {
  for (const ran of [
    await run([`verb${HOSTILE.replaceAll('\0', '')}`]),
    await run(['module', `/proc/no\u001b\u202e`]),
  ]) {
    expect(ran.code).toBe(2);
    expect(strangeIn(ran.stderr).filter(sign => sign.startsWith('U+'))).toEqual([]);
  }
});

test('review --help says of --spec what it takes', async () => {
  const { stdout } = await run(['review', '--help']);
  expect(stdout).toMatch(/--spec <folder> +the folder of a synthesized stack/);
  expect(stdout).not.toContain('desired state as JSON or YAML');
});
