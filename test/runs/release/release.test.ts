import { ownerTag } from '../../../reconciler/mark/owner-tag';
import { writeDescription } from '../../../reconciler/mark/description';
import type { Guest, World } from '../../../simulator/world';
import { runLine } from '../../reconciler/walk/live';
import { administratorOf } from '../../support/cluster/administrator';
import { desired, lab, type Json, type Lab } from '../../support/cluster/lab';
import { programAccess, takeWrites } from '../../support/cluster/program-access';
import { openToRoot } from '../../support/cluster/start-cluster';
import { blankMachine } from '../../support/runs/blank-machine';

const OWNER = 'team/lab';
const IDS = ['web', 'db'];
const machine = (id: string, more: Json = {}): Json => ({ ...blankMachine, id, ...more });
const FLEET = [
  machine('web', { vmid: 300, power: 'running', tags: ['prod'], description: 'ours' }),
  machine('db', { vmid: 301 }),
];

let cluster: Lab;
let made: World;
beforeAll(async () => {
  cluster = await lab({ taskMs: 0 });
  await cluster.run(desired(FLEET));
  await cluster.run({ ...desired([machine('theirs', { vmid: 320 })]), owner: 'others' });
  made = structuredClone(cluster.world);
});
afterAll(() => cluster.close());
beforeEach(() => {
  cluster.simulator.reset(openToRoot(structuredClone(made)));
  takeWrites(cluster.simulator);
});

const guest = (vmid: number): Guest => cluster.world.guests[vmid]!;
const line = (words: string[], input = '', terminal = {}) =>
  runLine(words, { ...programAccess(cluster.simulator), PVE_TASK_POLL_INTERVAL: '5ms' }, input, terminal);
const release = (...words: string[]) => line(['release', '--owner', OWNER, ...words]);
const document = (machines: Json[]) =>
  JSON.stringify({ version: 1, owner: OWNER, cluster: { name: 'lab' }, machines });
const isBare = ({ config: { description = '', tags = '' } }: Guest): boolean =>
  !description.includes('pvr:') && !tags.includes('pvr-');
const writes = () => takeWrites(cluster.simulator);

test('without --yes and without a terminal it lists all, says what a later run would do, and writes nothing', async () => {
  const before = structuredClone(cluster.world.guests);
  const { code, out, said } = await release();
  expect(code).toBe(0);
  expect(out).toContain('web: VM 300 (web) on pve1, of team/lab: its mark and its tag go.\n');
  expect(out).toContain('db: VM 301 (db) on pve1, of team/lab: its mark and its tag go.\n');
  expect(out).toMatch(/next apply of Terraform, reconcile, or round of the daemon makes a new one beside it/);
  expect(out).not.toMatch(/terraform state rm/);
  expect(said).toContain('Nothing was written to Proxmox. With --yes this takes our line');
  expect(said).toContain('Left alone, of other owners: theirs of others (VM 320).');
  expect(writes()).toEqual([]);
  expect(cluster.world.guests).toEqual(before);
});

test.each([
  ['y', 2],
  ['', 0],
  ['n', 0],
])('on a terminal it asks, and %j leads to %i writes', async (answer, count) => {
  const asked: string[] = [];
  const terminal = { isTTY: true, answer: (question: string) => (asked.push(question), answer) };
  expect(await line(['release', '--owner', OWNER], '', terminal)).toMatchObject({ code: 0 });
  expect(asked).toEqual([
    expect.stringMatching(/2 machines of owner team\/lab.*web \(VM 300\), db \(VM 301\)\. Go on\?/),
  ]);
  expect(writes()).toHaveLength(count);
});

test('each guest gets one write, of description and tags alone; it runs on', async () => {
  const before = structuredClone(cluster.world);
  expect(await release('--yes')).toMatchObject({
    code: 0,
    said: expect.stringContaining('web: VM 300 on pve1 is released.') as string,
  });
  expect(writes().sort()).toEqual(['PUT /nodes/pve1/qemu/300/config', 'PUT /nodes/pve1/qemu/301/config']);
  for (const vmid of [300, 301]) {
    const { config, ...rest } = guest(vmid);
    const { description: _, tags: __, digest: ___, ...others } = config;
    const { config: were, ...rested } = before.guests[vmid]!;
    const { description: ____, tags: _____, digest: ______, ...were_ } = were;
    // `rest` holds since when it runs, its snapshots and what waits in it
    expect({ rest, others }).toEqual({ rest: rested, others: were_ });
  }
  expect(guest(300).running).not.toBeNull();
  expect(guest(300).config).toMatchObject({ description: 'ours', tags: 'prod' });
  expect(Object.keys(guest(301).config)).not.toEqual(expect.arrayContaining(['description']));
  expect(guest(301).config['tags']).toBeUndefined();
  expect(cluster.world.volumes).toEqual(before.volumes);
  expect(cluster.world.guests[320]).toEqual(before.guests[320]);
});

test("what was released is nobody's: the next plan would make new machines, a destroy finds none", async () => {
  await release('--yes');
  const without = FLEET.map(({ vmid: _, ...rest }) => rest);
  const planned = await line(['plan', '--spec', '-'], document(without));
  expect(planned.out).toMatch(/web: would create VM/);
  expect(planned.out).toMatch(/WARNING: two guests with one name: VM 300 on pve1/);
  const atVmid = await line(['plan', '--spec', '-'], document(FLEET));
  expect(atVmid.code).toBe(3);
  expect(atVmid.out + atVmid.said).toMatch(/300/);
  const again = await line(
    ['plan', '--spec', '-'],
    document([{ ...FLEET[0], adopt: true, description: undefined }]),
  );
  expect(again).toMatchObject({ code: 0, out: expect.stringContaining('adopt') as string });
  writes();
  expect(await cluster.destroy('web')).toBe('already-gone');
  expect(writes()).toEqual([]);
  expect(guest(300)).toBeDefined();
});

test('an entry of Terraform that was forgotten makes no second machine before the release, and destroys none after it', async () => {
  const terraform = (verb: string, entry: string) =>
    runLine([verb], {
      ...programAccess(cluster.simulator),
      ...{ PROXMOX_PROTOCOL: '1', PROXMOX_CLUSTER: '{"name":"lab"}', PROXMOX_OWNER: OWNER },
      ...{ PROXMOX_MACHINE: 'db', PROXMOX_ENTRY: entry, PROXMOX_TOKEN: '' },
      PROXMOX_SPEC: JSON.stringify(FLEET[1]),
    });
  expect(await terraform('apply', 'e1')).toMatchObject({ code: 0 });
  writes();
  expect(await terraform('apply', 'e2')).toMatchObject({ code: 3 });
  expect(writes()).toEqual([]);
  await release('--yes');
  writes();
  for (const entry of ['e1', 'e2']) expect(await terraform('destroy', entry)).toMatchObject({ code: 0 });
  expect(writes()).toEqual([]);
  expect(guest(301)).toBeDefined();
});

test('machines are named, one that is not there is told, and the others go', async () => {
  const { code, said } = await release('db', 'wbe', '--yes');
  expect(code).toBe(3);
  expect(said).toMatch(/wbe: REFUSED: team\/lab has no machine 'wbe' here.*Did you mean 'web'\?/);
  expect([isBare(guest(300)), isBare(guest(301))]).toEqual([false, true]);
  expect(await release('db', 'web', '--yes')).toMatchObject({
    code: 3,
    said: expect.stringContaining('Where it was released before, nothing is left to do.') as string,
  });
  expect(isBare(guest(300))).toBe(true);
});

test.each([
  [['release'], /Say whose machines: --owner\. There are others, team\/lab\./],
  [['release', '--owner', 'team/lba'], /Did you mean 'team\/lab'\?/],
  [['release', '--owner', 'x y'], /owner/],
])('%j is wrong input', async (words, said) => {
  expect(await line(words)).toMatchObject({ code: 2, said: expect.stringMatching(said) as string });
  expect(writes()).toEqual([]);
});

const described = (to: (text: string) => string) => (web: Guest) => {
  web.config['description'] = to(web.config['description'] ?? '');
};
test.each<[string, (web: Guest) => void, RegExp]>([
  [
    'a mark that cannot be read',
    described(text => text.replace('"v":1', '"v":x')),
    /its mark cannot be read/,
  ],
  [
    'a mark of a later release',
    described(text => text.replace('"v":1', '"v":7')),
    /a later release wrote its mark/,
  ],
  ['no mark any more', described(() => 'mine'), /a tag of ours and no mark/],
  [
    'a mark of another owner',
    described(text => text.replace(OWNER, 'team/else')),
    /Left alone, of other owners: web of team.else/,
  ],
  ['a lock', web => void (web.config['lock'] = 'backup'), /it is locked \(backup\)/],
  [
    'another uuid, as a copy has',
    web => void (web.config['smbios1'] = 'uuid=11111111-2222-4333-8444-555555555555'),
    /is a copy that somebody made by hand/,
  ],
  [
    'no first configuration yet',
    described(text => text.replace('"v":1', '"v":1,"b":1')),
    /is not finished yet/,
  ],
])('a guest with %s is named and left, and the other goes', async (_, change, said) => {
  change(guest(300));
  const before = structuredClone(guest(300));
  const ran = await release('--yes');
  expect(ran.said).toMatch(said);
  expect(ran.code).toBe(/others|other owners/.test(said.source) ? 0 : 3);
  expect(guest(300)).toEqual(before);
  expect(isBare(guest(301))).toBe(true);
});

test('a creation that was cut short, by a Terraform state that is lost: the remedy that is told frees it', async () => {
  const { config } = guest(300);
  config['description'] = config['description']!.replace('"v":1', '"v":1,"b":1,"e":"lost"');
  const refused = await release('web', '--yes');
  expect(refused.said).toMatch(/it is not finished yet\. .*reconcile with this machine in its desired state/);
  const spec = document([machine('web', { vmid: 300, power: 'running' })]);
  expect(await line(['reconcile', '--spec', '-'], spec)).toMatchObject({ code: 0 });
  expect(await release('web', '--yes')).toMatchObject({ code: 0 });
  expect(isBare(guest(300))).toBe(true);
});

test('a mark without its tag is found all the same, and a container or a guest of nobody is not written', async () => {
  guest(300).config['tags'] = 'prod';
  expect(await release('--yes')).toMatchObject({ code: 0 });
  expect(IDS.map((_, at) => isBare(guest(300 + at)))).toEqual([true, true]);
  expect(writes().filter(each => !/\/30[01]\/config$/.test(each))).toEqual([]);
});

test.each([
  ['above and below', (mark: string) => `above  \n\n${mark}\nbelow \n`, 'above  \n\nbelow \n'],
  ['with the line ends of Windows', (mark: string) => `one\r\n${mark}\r\ntwo\r\n`, 'one\r\ntwo\r\n'],
  ['beside it', (mark: string) => `see ${mark} here`, 'see  here'],
  ['with an old mark of ours, too', (mark: string) => `a\n${mark}\nb\n${mark}`, 'a\nb'],
  ['below, and none above', (mark: string) => `${mark}\n\nbelow`, '\nbelow'],
])('notes %s stay to the byte', async (_, notes, left) => {
  const [mark = ''] = /<!-- pvr:.*-->/.exec(guest(301).config['description']!) ?? [];
  guest(301).config['description'] = notes(mark);
  expect(await release('db', '--yes')).toMatchObject({ code: 0 });
  expect(guest(301).config['description']!.trimEnd()).toBe(left.trimEnd());
});

test('what of us stays is listed: snapshots, ISO, unused volumes, entries of Terraform', async () => {
  const web = guest(300);
  const admin = administratorOf(cluster);
  const text = /<!-- pvr:(.*) -->/.exec(web.config['description']!)![1]!;
  const uuid = /uuid=([0-9a-f-]+)/.exec(web.config['smbios1']!)![1]!;
  const mark = { owner: OWNER, machine: 'web', uuid, entry: 'e1' };
  web.config['description'] = web.config['description']!.replace(
    text,
    text.replace('"v":1', '"v":1,"e":"e1"'),
  );
  const form = { snapname: 'clean', description: writeDescription('mine', mark) };
  expect(await admin('POST', '/nodes/pve1/qemu/300/snapshot', form)).toBe(true);
  web.config['unused0'] = 'local-lvm:vm-300-disk-7';
  web.config['ide2'] = `local:iso/${ownerTag(OWNER, 'web')}-0123456789abcdef0123.iso,media=cdrom`;
  const { out } = await release('web', '--cluster', 'lab');
  expect(out).toContain('our line in the description of its snapshots (clean)');
  expect(out).toContain('our tag in its snapshots, which a rollback brings back');
  expect(out).toMatch(/the ISO with its cloud-init data, in use \(local:iso\/pvr-/);
  expect(out).toContain('its unused volumes (local-lvm:vm-300-disk-7)');
  expect(out).toContain(
    `terraform state rm 'null_resource.machines_lab["web"]' null_resource.machine_lab_web 'null_resource.snapshots_lab["web.clean"]' null_resource.snapshot_lab_web_clean\n`,
  );
  expect(out).toContain(
    `terraform state rm 'module.NAME.terraform_data.machines["web"]' 'module.NAME.null_resource.machine["web"]' 'module.NAME.terraform_data.snapshots["web.clean"]' 'module.NAME.null_resource.snapshot["web.clean"]'\n`,
  );
  const json = await release('web', '--json', '--yes');
  expect(JSON.parse(json.out)).toMatchObject({
    machines: [{ machine: 'web', vmid: 300, isHeld: true, fate: 'released', snapshots: ['clean'] }],
  });
});

test('a template is released as a machine is, and its clones go on', async () => {
  guest(301).config['template'] = '1';
  const { code, out } = await release('db', '--yes');
  expect(code).toBe(0);
  expect(out).toContain(
    'db: template 301 (db) on pve1, of team/lab: its mark and its tag go. Its linked clones still need it.',
  );
  expect(isBare(guest(301))).toBe(true);
});
