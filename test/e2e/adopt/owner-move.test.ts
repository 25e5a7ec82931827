import { ownerTag } from '../../../reconciler/mark/owner-tag';
import type { Guest } from '../../../simulator/world';
import type { CliLab } from '../../support/processes/cli';
import { cliLabsAfter, desiredText, run, start } from '../../support/processes/cli';

const machine = (id: string) => ({
  id,
  image: { blank: true },
  memory: '512Mi',
  tags: ['prod'],
  description: 'ours',
});
const IDS = ['a', 'b', 'c', 'd', 'e'];
const NEW = 'shop/lab';

let open: Awaited<ReturnType<typeof cliLabsAfter>>;
let lab: CliLab;
beforeAll(async () => (open = await cliLabsAfter(first => first.people('reconcile', IDS.map(machine)))));
beforeEach(async () => (lab = await open()));
afterEach(() => lab.close());

const move = (...words: string[]) => run(['owner', 'move', ...words], lab.access);
const guest = (id: string): Guest => lab.guests(id)[0]!;
const planned = (owner: string) =>
  run(
    ['plan', '--check', '--spec', '-'],
    lab.access,
    desiredText(IDS.map(machine)).replace('team/lab', owner),
  );

test('the machines belong to the new owner, and their next plan is empty', async () => {
  const before = structuredClone(lab.world.guests);
  expect(await move('team/lab', NEW)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Nothing was written to Proxmox. With --yes') as string,
  });
  expect(lab.writes()).toEqual([]);
  expect(await move('team/lab', NEW, '--yes')).toMatchObject({ code: 0 });
  expect(lab.writes()).toHaveLength(IDS.length);
  for (const id of IDS) {
    const { config, vmid } = guest(id);
    expect(config['tags']?.split(';').sort()).toEqual(['prod', ownerTag(NEW, id)].sort());
    const { description: _, tags: __, ...rest } = config;
    const { description: ___, tags: ____, ...were } = before[vmid]!.config;
    expect(rest).toEqual(were);
  }
  expect(await planned(NEW)).toMatchObject({ code: 0 });
  expect(await planned('team/lab')).toMatchObject({ code: 3 });
  expect(await move('team/lab', NEW, '--yes')).toMatchObject({ code: 0 });
});

test('with ids, those machines and no others; what was moved before is no error', async () => {
  const ownerOf = (id: string) => /"o":"([^"]*)"/.exec(guest(id).config['description']!)?.[1];
  expect(await move('team/lab', NEW, 'b', 'd', '--yes')).toMatchObject({ code: 0 });
  expect(IDS.map(ownerOf)).toEqual(['team/lab', NEW, 'team/lab', NEW, 'team/lab']);
  expect(lab.writes()).toHaveLength(2);
  expect(await move('team/lab', NEW, 'b', 'c', '--yes')).toMatchObject({ code: 0 });
  expect(IDS.map(ownerOf)).toEqual(['team/lab', NEW, NEW, NEW, 'team/lab']);
  expect(await move('team/lab', NEW, 'b', 'c', '--yes')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('b, c: of shop/lab already. Nothing is left to do.') as string,
  });
  expect(await move('team/lab', NEW, 'a', 'f', '--yes')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /owner 'team\/lab' has no machine 'f' here\. .*Nothing was changed\./,
    ) as string,
  });
  expect(lab.writes()).toHaveLength(1);
});

test('killed half-way and run again, it completes', async () => {
  const isMoved = (id: string): boolean => guest(id).config['description']!.includes(NEW);
  const first = start(['owner', 'move', 'team/lab', NEW, '--yes'], lab.access);
  while (!IDS.some(isMoved)) await new Promise(resolve => setImmediate(resolve));
  first.child.kill('SIGKILL');
  await first.ended;
  expect(await move('team/lab', NEW, '--yes')).toMatchObject({ code: 0 });
  expect(await planned(NEW)).toMatchObject({ code: 0 });
});

test('copies, unfinished, locked and taken ones are left alone, and the others go on', async () => {
  guest('a').config['smbios1'] = 'uuid=99999999-0000-4000-8000-000000000001';
  // a copy has the entry of the first one in its mark, too: what is said of a state would be of that one
  guest('a').config['description'] = guest('a').config['description']!.replace('"v":1', '"v":1,"e":"4711"');
  guest('b').config['lock'] = 'backup';
  guest('c').config['description'] = guest('c').config['description']!.replace('"v":1', '"v":1,"b":1');
  guest('d').config['description'] = guest('d')
    .config['description']!.replace('"m":"d"', '"m":"e"')
    .replace('team/lab', NEW);
  const before = structuredClone(lab.world.guests);
  const { code, stderr } = await move('team/lab', NEW, '--yes');
  expect(code).toBe(3);
  expect(stderr).toMatch(/a: REFUSED: .* is a copy that somebody made by hand/);
  expect(stderr).toMatch(/b: REFUSED: .* is locked \(backup\)/);
  expect(stderr).toMatch(/c: REFUSED: .* is not finished yet/);
  expect(stderr).toMatch(/e: REFUSED: .* shop\/lab has a machine of this id already/);
  expect(lab.writes()).toEqual([]);
  expect(lab.world.guests).toEqual(before);
});

test('a taken one is named, also where the new owner has its number for a name', async () => {
  const to = `shop/${guest('e').vmid}`;
  guest('d').config['description'] = guest('d')
    .config['description']!.replace('"m":"d"', '"m":"e"')
    .replace('team/lab', to);
  const { stderr } = await move('team/lab', to);
  expect(stderr).toMatch(
    /e: REFUSED: guest \d+ \(e\) on \w+ is not moved: shop\/\d+ has a machine of this id/,
  );
});

test('what a Terraform state holds is not moved, and what the refusal says gives it to another program', async () => {
  const one = { ...machine('f'), tags: [] };
  expect((await lab.apply(one, { entry: 'e1' })).code).toBe(0);
  lab.writes();
  const says =
    /f: REFUSED: guest \d+ \(f\) on \w+ is not moved: a Terraform state holds it, and keeps the owner team\/lab\. Give its program the owner team\/lab again\./;
  const refused = { code: 3, stderr: expect.stringMatching(says) as string };
  expect(await move('team/lab', NEW, 'f')).toMatchObject(refused);
  const { code, stderr } = await move('team/lab', NEW, 'f', '--yes');
  expect({ code, stderr }).toMatchObject(refused);
  expect(lab.writes()).toEqual([]);
  expect((await lab.apply(one, { entry: 'e1' })).code).toBe(0);
  // the others are moved all the same
  expect(await move('team/lab', NEW, '--yes')).toMatchObject(refused);
  expect(lab.writes()).toHaveLength(IDS.length);

  const [, line = '', vmid] =
    /(release f --owner \S+), which prints .*; in the new program say adopt: true with vmid (\d+)/.exec(
      stderr,
    ) ?? [];
  expect(await run([...line.split(' '), '--yes'], lab.access)).toMatchObject({ code: 0 });
  const env = { PROXMOX_OWNER: NEW };
  const adopted = { ...one, adopt: true, vmid: Number(vmid) };
  expect(await lab.apply(adopted, { entry: 'e2', env })).toMatchObject({ code: 0 });
  expect(await lab.destroy('f', { entry: 'e2', env })).toMatchObject({ code: 0 });
  expect(lab.guests('f')).toEqual([]);
});

test.each([
  [['team/lob', 'x'], /no machine of owner 'team\/lob' is there\. Did you mean 'team\/lab'\?/],
  [['team/lab', 'team/lab'], /needs two different owners/],
  [['team/lab', ' x'], /owner: " x" is not valid/],
])('%j is wrong input', async (words, says) => {
  expect(await move(...words, '--yes')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(says) as string,
  });
  expect(lab.writes()).toEqual([]);
});

test('a mistyped old owner is told as one, also where the new owner has machines', async () => {
  const { code, stderr } = await move('nobody/at-all', 'team/lab', '--yes');
  expect(code).toBe(2);
  expect(stderr).toMatch(/no machine of owner 'nobody\/at-all' is there\. There are team\/lab\./);
  expect(stderr).toContain('Where they were moved to team/lab before, nothing is left to do.');
  expect(lab.writes()).toEqual([]);
});

test('a move that was done is done: it may be run again', async () => {
  expect(await move('team/lab', NEW, '--yes')).toMatchObject({ code: 0 });
  expect(await move('team/lab', NEW, '--yes')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('No machine of team/lab is left') as string,
  });
  expect(await move('team/lub', NEW, '--yes')).toMatchObject({ code: 2 });
});
