import { runLine } from '../../reconciler/walk/live';
import { desired, desiredJson, lab, type Json, type Lab } from '../../support/cluster/lab';
import { programAccess, takeWrites } from '../../support/cluster/program-access';
import { applyEvent } from '../../../simulator/events/apply';
import { blankMachine } from '../../support/runs/blank-machine';

const [web, db] = ['web', 'db'].map(id => ({ ...blankMachine, id }));

let cluster: Lab;
let asked: string[];
beforeEach(async () => {
  asked = [];
  cluster = await lab();
  await cluster.run(desired([web!, db!]));
  takeWrites(cluster.simulator);
});
afterEach(() => cluster.close());

const named = (name: string) =>
  Object.values(cluster.world.guests).find(({ config }) => config['name'] === name);
const writes = (): string[] => takeWrites(cluster.simulator);
const destroy = (line: string[], { answer, want = [web!, db!] }: { answer?: string; want?: Json[] } = {}) =>
  runLine(
    ['destroy', ...line, '--spec', '-'],
    { ...programAccess(cluster.simulator), PVE_TASK_POLL_INTERVAL: '5ms' },
    JSON.stringify(desiredJson(want)),
    answer === undefined ? {} : { answer: question => (asked.push(question), answer) },
  );

test('it asks, says that the next apply makes the machine anew, and does nothing without a yes', async () => {
  expect(await destroy(['web'], { answer: 'n' })).toMatchObject({
    code: 2,
    said: expect.stringContaining('not agreed: nothing was changed'),
  });
  expect(asked).toEqual([
    'web (VM 10000 on pve1, of team/lab in cluster lab) is destroyed with its disks (root 8Gi local-lvm:vm-10000-disk-0). The desired state still names it: the next apply makes it anew. Go on? [y/N] ',
  ]);
  expect(await destroy(['web'])).toMatchObject({ code: 2, said: expect.stringContaining('add --yes') });
  expect(writes()).toEqual([]);
  expect(await destroy(['web'], { answer: 'y' })).toMatchObject({
    code: 0,
    said: expect.stringContaining('web: destroyed'),
  });
  expect([named('web'), named('db')?.vmid]).toEqual([undefined, 10_001]);
});

test('a machine by its id and by its former one is asked for once, and destroyed once', async () => {
  const renamed = { ...web!, id: 'site', formerIds: ['web'] };
  const ran = await destroy(['site', 'web', 'site'], { answer: 'y', want: [renamed, db!] });
  expect(ran).toMatchObject({ code: 0 });
  expect(asked).toHaveLength(1);
  expect(asked[0]?.match(/is destroyed with its disks/g)).toHaveLength(1);
  expect(writes().filter(line => line.startsWith('DELETE /nodes/pve1/qemu/10000'))).toHaveLength(1);
  expect(named('db')?.vmid).toBe(10_001);
});

test('a former id names the machine of now: it is asked for, and destroyed, by its name', async () => {
  const site = { ...web!, id: 'site', formerIds: ['first', 'web'] };
  const want = [site, db!];
  await cluster.run(desired(want));
  writes();
  expect(await destroy(['web'], { answer: 'n', want })).toMatchObject({ code: 2 });
  expect(asked[0]).toContain('web is site now: site (VM 10000 on pve1, of team/lab in cluster lab)');
  expect(writes()).toEqual([]);
  const ran = await destroy(['web', 'first', '--yes'], { want });
  expect(ran).toMatchObject({ code: 0, said: expect.stringContaining('site: destroyed') });
  expect(ran.said).not.toContain('already gone');
  expect([named('site'), named('db')?.vmid]).toEqual([undefined, 10_001]);
});

test('a machine that left the desired state goes too; a mistyped one is nothing', async () => {
  expect(await destroy(['db', '--yes'], { want: [web!] })).toMatchObject({ code: 0 });
  expect([named('web')?.vmid, named('db')]).toEqual([10_000, undefined]);
  writes();
  expect(await destroy(['web', 'wbe', '--yes'])).toMatchObject({
    code: 2,
    said: expect.stringContaining('there is no machine "wbe" in the desired state. Did you mean "web"?'),
  });
  expect(writes()).toEqual([]);
});

test.each([
  [
    'protected',
    () => void (named('web')!.config['protection'] = '1'),
    'Set protection to false and apply that first; of a machine that left',
  ],
  [
    'held by a Terraform state',
    () => {
      const { config } = named('web')!;
      config['description'] = config['description']?.replace('{"v":1,', '{"v":1,"e":"e1",') ?? '';
    },
    'belongs to a Terraform state. Destroy it there.',
  ],
  [
    'a copy of ours',
    () => {
      const { config } = named('web')!;
      config['smbios1'] = 'uuid=11111111-1111-4111-8111-111111111111';
    },
    'carries the mark with another uuid',
  ],
])('a guest that is %s stays, with the remedy', async (_, alter, says) => {
  alter();
  expect(await destroy(['web', '--yes'])).toMatchObject({ code: 3, said: expect.stringContaining(says) });
  expect(writes()).toEqual([]);
});

test('a machine of another owner is refused by name, and stays', async () => {
  const other = { ...desiredJson([web!]), owner: 'team/else' };
  const { code, said } = await runLine(
    ['destroy', 'web', '--yes', '--spec', '-'],
    programAccess(cluster.simulator),
    JSON.stringify(other),
  );
  expect(code).toBe(3);
  expect(said).toMatch(/guest 10000 \(web\) on pve1 has its name, and is machine web of owner team\/lab\./);
  expect(said).toMatch(/owner team\/else has no machine web, .*another owner's\..*owner move/s);
  expect(said).not.toContain('already gone');
  expect([writes(), named('web')?.vmid]).toEqual([[], 10_000]);
});

test('without a quorum nothing is sent', async () => {
  applyEvent(cluster.simulator.sim, { kind: 'quorum', quorate: false });
  const abort = destroy(['web', '--yes']);
  // it waits; the quorum comes back, and it goes on
  while (!cluster.simulator.ledger.entries().some(({ path }) => path === '/cluster/status'))
    await new Promise(resolve => setTimeout(resolve, 5));
  expect(named('web')).toBeDefined();
  applyEvent(cluster.simulator.sim, { kind: 'quorum', quorate: true });
  expect(await abort).toMatchObject({ code: 0 });
});

test('options of people need the name of a machine', async () => {
  const ran = await destroy([]);
  expect(ran).toMatchObject({
    code: 2,
    said: expect.stringContaining('--spec needs the names of machines'),
  });
});

/** The way to a cluster, in the variables of the cluster of this name alone. */
function accessOf(name: string, { simulator }: Lab): Record<string, string> {
  const { PVE_TASK_POLL_INTERVAL, ...way } = programAccess(simulator);
  const own = Object.entries(way).map(([key, value]) => [key.replace('PVE_', `PVE_${name}_`), value]);
  return { PVE_TASK_POLL_INTERVAL, ...(Object.fromEntries(own) as Record<string, string>) };
}

test('a machine of one cluster: the same name of the same owner on another cluster stays', async () => {
  const other = await lab();
  try {
    await other.run(desired([web!]));
    const theirs = Object.values(other.world.guests).find(({ config }) => config['name'] === 'web')!;
    delete theirs.config['tags'];
    takeWrites(other.simulator);
    const documents = [desiredJson([web!]), desiredJson([db!], { name: 'other' })];
    const ran = await runLine(
      ['destroy', 'web', '--spec', '-'],
      { ...accessOf('LAB', cluster), ...accessOf('OTHER', other) },
      documents.map(each => `---\n${JSON.stringify(each)}\n`).join(''),
      { answer: question => (asked.push(question), 'y') },
    );
    expect(ran).toMatchObject({ code: 0 });
    expect(takeWrites(other.simulator)).toEqual([]);
    expect(asked[0]).toContain('(VM 10000 on pve1, of team/lab in cluster lab)');
    expect(named('web')).toBeUndefined();
  } finally {
    await other.close();
  }
});

test.each(['observe', 'paused'])('mode: %s holds by a former id too', async mode => {
  const want = [{ ...web!, id: 'new', formerIds: ['web'], mode }];
  expect(await destroy(['web', '--yes'], { want })).toMatchObject({
    code: 2,
    said: expect.stringContaining(`"new" has mode: ${mode}`),
  });
  expect(writes()).toEqual([]);
});
