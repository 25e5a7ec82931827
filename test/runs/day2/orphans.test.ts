import { orphanTexts } from '../../../reconciler/commands/day2/tell-orphans';
import { runLine } from '../../reconciler/walk/live';
import { desired, desiredJson, lab, type Lab } from '../../support/cluster/lab';
import { programAccess, takeWrites } from '../../support/cluster/program-access';
import { blankMachine } from '../../support/runs/blank-machine';

const [web, old] = ['web', 'old'].map(id => ({ ...blankMachine, id }));

let cluster: Lab;
beforeEach(async () => {
  cluster = await lab();
  await cluster.run(desired([web!, old!]));
  await cluster.run({ ...desired([{ ...blankMachine, id: 'theirs' }]), owner: 'others' });
  cluster.simulator.ledger.reset();
});
afterEach(() => cluster.close());

const guest = () => Object.values(cluster.world.guests).find(({ config }) => config['name'] === 'old')!;
const run = (verb: string, ...more: string[]) =>
  runLine(
    [verb, '--spec', '-', ...more],
    { ...programAccess(cluster.simulator), PVE_TASK_POLL_INTERVAL: '5ms' },
    JSON.stringify(desiredJson([web!])),
  );

test.each(['plan', 'reconcile', 'status'])(
  '%s names a machine that left the desired state, and what removes or keeps it',
  async verb => {
    const { code, said } = await run(verb);
    expect(code).toBe(0);
    expect(said).toContain(
      'orphan old: VM 10001 on pve1, of team/lab, is not in the desired state. ' +
        'To remove it: pve-reconciler destroy old --spec -. ' +
        'It goes with its disks (root 8Gi local-lvm:vm-10001-disk-0). To keep it: name it in the desired state again.',
    );
    expect(said).not.toContain('theirs');
    expect(takeWrites(cluster.simulator)).toEqual([]);
    expect(guest()).toBeDefined();
  },
);

/** Two documents of one owner, which name one cluster differently. */
function runTwo(verb: string, ...more: string[]) {
  const documents = [desiredJson([web!]), desiredJson([{ ...blankMachine, id: 'api' }], { name: 'other' })];
  const plain = Object.entries(programAccess(cluster.simulator));
  const access = ['PVE_LAB_', 'PVE_OTHER_'].flatMap(prefix =>
    plain.map(([name, value]) => [name.replace('PVE_', prefix), value] as const),
  );
  const text = documents.map(each => JSON.stringify(each)).join('\n---\n');
  return runLine(
    [verb, '--spec', '-', ...more],
    { ...Object.fromEntries(access), PVE_TASK_POLL_INTERVAL: '5ms' },
    `# two documents\n${text}`,
  );
}

test.each([
  ['plan', []],
  ['reconcile', [/^orphan old: VM 10001 .* Mind: where api is this machine/]],
  ['status', []],
])(
  '%s with two documents of one owner, which name one cluster differently, tells an orphan once, and no machine of either',
  async (verb, before) => {
    const { said } = await runTwo(verb);
    expect(said.split('\n').filter(line => /^(?:orphan|ERROR)/.test(line))).toEqual([
      ...before.map(says => expect.stringMatching(says) as string),
      expect.stringMatching(/^orphan old: VM 10001/),
    ]);
  },
);

test('doctor with two such documents finds an orphan once, and no machine of either', async () => {
  await cluster.run(desired([web!, old!, { ...blankMachine, id: 'api' }]));
  const { out } = await runTwo('doctor', '--json');
  const { findings } = JSON.parse(out) as { findings: { check: string; says: string }[] };
  expect(findings.filter(({ check }) => check === 'orphans').map(({ says }) => says)).toEqual([
    expect.stringMatching(/^VM 10001 on pve1, of team\/lab, is not in the desired state/),
  ]);
});

test('more guests with tags of ours than are read: their number is told, and which command reads them all', async () => {
  const { config, ...rest } = guest();
  for (let vmid = 20_000; vmid < 20_060; vmid += 1)
    cluster.world.guests[vmid] = {
      ...structuredClone(rest),
      vmid,
      config: {
        ...config,
        tags: `pvr-aaaaaa${vmid
          .toString(6)
          .slice(-4)
          .replaceAll(/[01]/g, one => 'xy'[Number(one)] ?? '')}`,
        name: `n${vmid}`,
      },
    };
  expect((await run('plan')).said).toMatch(/orphans: \d+ more guests have a tag of ours .*pve-reconciler gc/);
});

test.each(['plan', 'reconcile', 'status', 'doctor'])(
  '%s: what another source of this owner wrote is that one’s, and its remedy is no destroy',
  async verb => {
    const { config } = guest();
    config['description'] = config['description']!.replace('{"v":1,', '{"v":1,"so":"team-b",');
    const told = async (...more: string[]) => {
      const { out, said } = await run(verb, ...more);
      return `${out}${said}`.replaceAll(/\s+/g, ' ');
    };
    const named = await told('--source', 'team-a');
    expect(named).toMatch(/Source "team-b" wrote it last, and this is source "team-a": it is that one's/);
    const onStdin = await told();
    expect(onStdin).toContain('Source "team-b" wrote it last');
    expect(named + onStdin).not.toContain('pve-reconciler destroy');
  },
);

test('the command that it names removes it, and then nothing is named any more', async () => {
  expect(await run('destroy', 'old', '--yes')).toMatchObject({ code: 0 });
  expect((await run('plan')).said).not.toContain('orphan');
});

test.each([
  ['x; reboot', "destroy 'x; reboot' --spec -."],
  ["it's", String.raw`destroy 'it'\''s' --spec -.`],
  ['$(reboot)', "destroy '$(reboot)' --spec -."],
  ['--yes', 'destroy --spec - -- --yes.'],
])('a machine that a description names %s is one word of the command', async (machine, says) => {
  const { config } = guest();
  config['description'] = config['description']!.replace('"m":"old"', `"m":"${machine}"`);
  expect((await run('plan')).said).toContain(`To remove it: pve-reconciler ${says}`);
});

test('the command has all that the run was given, each as one word', () => {
  const old = { owner: 'team/lab', machine: 'old', vmid: 10_001, node: 'pve1' };
  const given = { spec: ['my state.json'], manifests: ['~/m'], owner: 'a', secrets: '/run/my secrets' };
  expect(orphanTexts(old, given).remedy).toContain(
    "destroy old --spec 'my state.json' --manifests '~/m' --owner a --secrets '/run/my secrets'.",
  );
});

test('what a Terraform state holds is to be destroyed there', async () => {
  const { config } = guest();
  config['description'] = config['description']?.replace('{"v":1,', '{"v":1,"e":"e1",') ?? '';
  expect((await run('plan')).said).toMatch(
    /^orphan old: .* A Terraform state holds it: destroy it there\.$/m,
  );
});

test.each([
  ['a copy of it, with another uuid', { smbios1: 'uuid=11111111-1111-4111-8111-111111111111' }],
  ['a guest whose line is gone', { description: 'theirs' }],
])('is not named: %s', async (_, fields) => {
  Object.assign(guest().config, fields);
  expect((await run('plan')).said).not.toContain('orphan');
});

test('--json of plan and reconcile lists them', async () => {
  for (const verb of ['plan', 'reconcile'])
    expect(JSON.parse((await run(verb, '--json')).out)).toMatchObject({
      orphans: [{ owner: 'team/lab', machine: 'old', vmid: 10_001, node: 'pve1' }],
    });
});

test('nothing more is asked where no machine left', async () => {
  await run('destroy', 'old', '--yes');
  const { world } = cluster;
  for (const { vmid, config } of Object.values(world.guests))
    if (config['name'] === 'theirs') delete world.guests[vmid];
  const of = async (verb: string): Promise<string[]> => {
    cluster.simulator.ledger.reset();
    await run(verb);
    return cluster.simulator.ledger.entries().map(({ path }) => path);
  };
  expect((await of('plan')).filter(path => /\/qemu\/\d+\/pending$/.test(path))).toHaveLength(1);
});
