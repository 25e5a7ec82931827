import { runLine } from '../../reconciler/walk/live';
import { desired, desiredJson, lab, type Json, type Lab } from '../../support/cluster/lab';
import { programAccess } from '../../support/cluster/program-access';

const machines: Json[] = ['web', 'db', 'kept'].map(id => ({ id, image: { blank: true }, power: 'stopped' }));
const [web] = machines;

let cluster: Lab;
beforeEach(async () => {
  cluster = await lab();
  await cluster.run(desired(machines));
  const theirs = { ...desired([{ id: 'theirs', image: { blank: true } }]), owner: 'others' };
  await cluster.run(theirs);
  const kept = Object.values(cluster.world.guests).find(({ config }) => config['name'] === 'kept');
  // as if a Terraform state had made it
  if (kept)
    kept.config['description'] = kept.config['description']?.replace('{"v":1,', '{"v":1,"e":"e1",') ?? '';
});
afterEach(() => cluster.close());

const gc = (...more: string[]) => gcOf(web ? [web] : [], ...more);
const gcOf = (wanted: Json[], ...more: string[]) =>
  runLine(
    ['gc', '--spec', '-', ...more],
    programAccess(cluster.simulator),
    JSON.stringify(desiredJson(wanted)),
  );
const names = (): string[] => Object.values(cluster.world.guests).map(({ config }) => String(config['name']));

test('without --yes it names what nothing asks for, and changes nothing', async () => {
  const before = names();
  const { code, out } = await gc();
  expect(code).toBe(0);
  expect(out).toMatch(/^db: VM \d+ on pve\d, of team\/lab: nothing asks for it\. gc --yes destroys it\.$/m);
  expect(out).toMatch(/^kept: .*held by a Terraform state, left alone/m);
  expect(out).not.toMatch(/^(?:web|theirs):/m);
  expect(names()).toEqual(before);
});

test('with --yes it destroys that, and nothing that a Terraform entry, another owner or nobody of ours has', async () => {
  const before = names();
  expect((await gc('--yes', '--count', '1')).code).toBe(0);
  expect(names()).toEqual(before.filter(name => name !== 'db'));
});

describe('a template that nothing asks for', () => {
  const base = {
    id: 'base',
    image: { blank: true },
    asTemplate: true,
    disks: [{ name: 'root', storage: 'shared', size: '1Gi' }],
  };
  const clone = { id: 'clone', image: { machine: 'base' }, power: 'stopped' };
  beforeEach(async () => void (await cluster.run(desired([...machines, base, clone]))));

  test('stays while a linked clone of it does, and that is said at once', async () => {
    const asked = [...machines, { ...clone, image: { template: 'ubuntu-22.04' } }];
    const before = names();
    const { code, out } = await gcOf(asked, '--yes');
    expect(code).toBe(0);
    expect(out).toMatch(
      /^base: VM \d+ on pve\d, of team\/lab: left alone, linked clones of it stay: \d+\.$/m,
    );
    expect(names()).toEqual(before);
  });

  test('goes after its clones, where nothing asks for them either', async () => {
    expect((await gcOf(machines, '--yes', '--count', '2')).code).toBe(0);
    expect(names().filter(name => name === 'base' || name === 'clone')).toEqual([]);
  });
});

test('two documents of one owner, by two names of one cluster: what one asks for is no orphan of the other', async () => {
  const [one, two] = [desiredJson(machines.slice(0, 1)), desiredJson(machines.slice(1))] as [Json, Json];
  const both = [one, { ...two, cluster: { ...(two['cluster'] as Json), name: 'again' } }];
  const access = Object.entries(programAccess(cluster.simulator));
  const named = (cluster: string) =>
    access.map(([name, value]) => [name.replace('PVE_', `PVE_${cluster}_`), value]);
  const before = names();
  const said = await runLine(
    ['gc', '--spec', '-', '--yes'],
    Object.fromEntries([...access, ...named('LAB'), ...named('AGAIN')]),
    both.map(each => `---\n${JSON.stringify(each)}\n`).join(''),
  );
  expect(said).toMatchObject({ code: 0, out: expect.stringContaining('no orphan was found') });
  expect(names()).toEqual(before);
});
