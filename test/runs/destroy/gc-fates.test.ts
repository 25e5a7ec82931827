import { program } from '../../../reconciler/commands/command-line';
import { removeOrphan } from '../../../reconciler/commands/day2/gc-orphans';
import { RefusedError } from '../../../reconciler/errors';
import { runLine } from '../../reconciler/walk/live';
import { desired, desiredJson, errorsOf, lab, type Json, type Lab } from '../../support/cluster/lab';
import { administratorOf } from '../../support/cluster/administrator';
import { NARROW, narrowTokenLab } from '../../support/cluster/narrow-token-lab';
import { programAccess, takeWrites } from '../../support/cluster/program-access';

const old = { id: 'old', image: { blank: true }, power: 'stopped', vmid: 777, node: 'pve3' };

let cluster: Lab;
let before: (request: string) => void | Promise<void>;
beforeEach(async () => {
  before = () => undefined;
  cluster = await lab({ before: ({ method, path }) => before(`${method} ${path}`) });
  expect(errorsOf(await cluster.run(desired([old])))).toEqual([]);
});
afterEach(() => cluster.close());

const run = (...line: string[]) =>
  runLine([...line, '--spec', '-'], programAccess(cluster.simulator), JSON.stringify(desiredJson([])));
const json = async (...line: string[]) => JSON.parse((await run(...line, '--json')).out) as Json;

test('an orphan on a node that is down is counted, as one that could not be read', async () => {
  cluster.world.nodes.find(({ name }) => name === 'pve3')!.online = false;
  const says = '1 guest with a tag of ours could not be read, and may be orphans: VM 777 on pve3.';
  expect((await run('gc')).out).toContain(says);
  expect((await run('gc')).out).not.toContain('no orphan was found');
  expect(await json('gc', '--yes')).toMatchObject({ orphans: [], unread: [{ vmid: 777, node: 'pve3' }] });
  for (const verb of ['plan', 'status']) expect((await run(verb)).said).toContain(says);
  for (const verb of ['plan', 'status'])
    expect(await json(verb)).toMatchObject({ unread: [{ vmid: 777, node: 'pve3' }] });
});

test('one that was destroyed is told as that', async () => {
  expect((await run('gc', '--yes', '--count', '1')).out).toMatch(
    /^old: VM 777 on pve3, of team\/lab: destroyed\.$/m,
  );
});

test('one that a Terraform state takes before its destroy is refused, with the reason, and stays', async () => {
  // the listing of the second reading, after the count was compared
  let listings = 0;
  before = request => {
    if (request !== 'GET /cluster/resources' || (listings += 1) < 2) return;
    const { config } = cluster.world.guests[777]!;
    config['description'] = config['description']!.replace('{"v":1,', '{"v":1,"e":"e1",');
    before = () => undefined;
  };
  const { out, code } = await run('gc', '--yes', '--count', '1', '--json');
  expect(code).toBe(3);
  expect(JSON.parse(out)).toMatchObject({
    orphans: [{ machine: 'old', fate: 'refused', why: expect.stringContaining('Terraform') as string }],
  });
  expect(cluster.world.guests[777]).toBeDefined();
});

test('one that is protected is told before, with what frees it, and is refused once', async () => {
  cluster.world.guests[777]!.config['protection'] = '1';
  const why =
    'guest 777 on pve3 is protected. Set protection to false and apply that first; ' +
    'of a machine that left the desired state clear it on pve3 (qm set 777 --protection 0).';
  const line = `old: VM 777 on pve3, of team/lab: nothing asks for it, and gc --yes does not destroy it: ${why}\n`;
  expect(await run('gc')).toEqual({ code: 0, out: line, said: '' });
  expect(await run('gc', '--yes')).toEqual({ code: 3, out: line, said: '' });
  expect(await json('gc')).toMatchObject({ orphans: [{ fate: 'refused', why }] });
  expect((await run('plan')).said).toContain(`It would not be destroyed: ${why}\n`);
  delete cluster.world.guests[777]!.config['protection'];
  expect(await run('gc', '--yes', '--count', '1')).toMatchObject({ code: 0 });
});

test('one whose destroy fails is told as failed, with the reason', async () => {
  const effect = { kind: 'answer', status: 500, text: 'no space for it' } as const;
  cluster.simulator.faults.add({ methods: ['DELETE'], path: '/nodes/*/qemu/777', effect });
  const { out } = await run('gc', '--yes', '--count', '1');
  expect(out).toMatch(/^old: VM 777 on pve3, of team\/lab: failed: .*no space for it/m);
});

test('a token that may see no guest is refused, and not told that nothing is left', async () => {
  const narrow = await narrowTokenLab();
  try {
    narrow.allow({ path: '/', privileges: ['Sys.Audit'] });
    const environment = {
      ...programAccess(narrow.simulator),
      PVE_TOKEN_ID: NARROW.id,
      PVE_TOKEN_SECRET: NARROW.secret,
    };
    const { code, out, said } = await runLine(
      ['gc', '--spec', '-', '--yes'],
      environment,
      JSON.stringify(desiredJson([])),
    );
    expect({ code, out }).toEqual({ code: 3, out: '' });
    expect(said).toMatch(
      /no guest of the cluster may be seen, so that nobody can tell what is left\. Grant VM\.Audit/,
    );
  } finally {
    await narrow.close();
  }
});

test('two guests with one mark are told as what gc --yes then refuses', async () => {
  const { config, ...rest } = cluster.world.guests[777]!;
  cluster.world.guests[778] = { ...structuredClone({ ...rest, config }), vmid: 778 };
  const { out } = await run('gc');
  expect(out).toMatch(/^old: VM 777 .*gc --yes does not destroy it: .*both prove to be this machine/m);
  expect(out).not.toContain('gc --yes destroys it');
  expect(await run('gc', '--yes')).toMatchObject({ code: 3, out });
  expect(Object.keys(cluster.world.guests)).toEqual(expect.arrayContaining(['777', '778']));
});

test('a node that does not answer is named at once, and nothing more is asked of it', async () => {
  let asked = 0;
  let release = (): void => undefined;
  const held = new Promise<void>(resolve => (release = resolve));
  before = request => {
    if (!request.includes(' /nodes/pve3/')) return;
    asked += 1;
    return held;
  };
  const { out, said } = await run('gc');
  release();
  expect(said).toContain(
    'node pve3 does not answer within 5 s: 3 guests and the files on it are not looked at',
  );
  expect(out).toContain('VM 777 on pve3');
  expect(asked).toBe(1);
});

test.each([
  ['names another', '"so":"team-b",', /its mark names source "team-b" now\. .*pve-reconciler gc/],
  ['names none any more', '', /its mark names no source any more\. .*pve-reconciler gc/],
])(
  'one whose mark %s since it was told is refused, with the command that looks again',
  async (_, so, why) => {
    const { config } = cluster.world.guests[777]!;
    const is = (text: string): void => {
      config['description'] = config['description']!.replace(/\{"v":1,(?:"so":"[^"]*",)?/, `{"v":1,${text}`);
    };
    is('"so":"team-a",');
    let listings = 0;
    before = request => {
      if (request === 'GET /cluster/resources' && (listings += 1) === 2) is(so);
    };
    const { out, code } = await run('gc', '--source', 'team-a', '--yes', '--count', '1');
    expect({ code, out }).toEqual({ code: 3, out: expect.stringMatching(why) as string });
    expect(cluster.world.guests[777]).toBeDefined();
  },
);

test('the help of gc says that --yes destroys, and asks', () => {
  const help = program(() => Promise.resolve())
    .commands.find(verb => verb.name() === 'gc')
    ?.helpInformation();
  expect(help).toMatch(/-y, --yes +destroy what is left\. It asks first/);
});

test('one whose snapshots cannot be listed is told as not read, and stays: nobody was told what goes with it', async () => {
  const took = administratorOf(cluster)('POST', '/nodes/pve3/qemu/777/snapshot', { snapname: 'byhand' });
  expect(await took).toBe(true);
  cluster.simulator.faults.add({
    ...{ path: '/nodes/*/qemu/777/snapshot', methods: ['GET'], count: 1 },
    effect: { kind: 'answer', status: 500, text: 'got timeout' },
  });
  const { out } = await run('gc', '--yes');
  expect(out).toMatch(/^1 guest with a tag of ours could not be read.*: VM 777 on pve3\./);
  expect(cluster.world.guests[777]).toBeDefined();
  const again = await run('gc', '--yes');
  expect(again).toMatchObject({
    code: 2,
    said: expect.stringContaining('its snapshots (byhand)') as string,
  });
});

test('one of which nobody read what goes with it is refused at its destroy', async () => {
  const untold = { owner: 'team/lab', machine: 'old', vmid: 777, node: 'pve3', fate: 'may-go' as const };
  takeWrites(cluster.simulator);
  const [error] = await cluster.withRun(run => removeOrphan(run, untold, undefined));
  expect(error).toBeInstanceOf(RefusedError);
  expect(takeWrites(cluster.simulator)).toEqual([]);
  expect(cluster.world.guests[777]).toBeDefined();
});
