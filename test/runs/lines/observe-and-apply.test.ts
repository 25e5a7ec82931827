import { administratorOf } from '../../support/cluster/administrator';
import type { CliLab } from '../../support/processes/cli';
import { lineLab, runHere } from '../../support/runs/line-lab';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
const web = {
  id: 'web',
  image: { template: 'ubuntu-22.04' },
  cpu: { cores: 2 },
  networks: [{ name: 'lan' }],
};

let lab: CliLab;
beforeEach(async () => {
  lab = await lineLab();
});
afterEach(() => lab.close());

const tokenOf = (told: Record<string, string>, id = 'web') => told[`${id}.token`] ?? '';
const decoded = (token: string) =>
  JSON.parse(Buffer.from(token, 'base64url').toString()) as Record<string, unknown>;

test('observe, apply, observe again: at rest', async () => {
  const before = await lab.observe({ web }, { web: '' });
  expect(before.told).toMatchObject({ 'web.status': 'absent', 'web.effect': 'create', 'web.refusal': '' });
  expect(decoded(tokenOf(before.told))).toMatchObject({ node: 'pve1', worst: 'create' });
  expect(lab.writes()).toEqual([]);

  const applied = await lab.apply(web, { token: tokenOf(before.told) });
  expect(applied).toMatchObject({ code: 0, stdout: '' });
  expect(applied.stderr).toMatch(/^web: Successfully created VM 10000 on pve1/m);

  const after = await lab.observe({ web }, { web: 'e1' });
  expect(after.told).toEqual({
    'web.status': 'in-sync',
    'web.token': tokenOf(before.told),
    'web.diff': '',
    'web.alone': '',
    refusedAlone: '',
    'web.refusal': '',
    'web.effect': 'none',
    'web.node': 'pve1',
    'web.vmid': '10000',
    'web.drift': '',
    guests: expect.any(String) as string,
  });
  const volumes = [
    { bytes: 4 * MIB, kind: 'cloud-init', slot: 'ide2', volume: 'shared:10000/vm-10000-cloudinit.qcow2' },
    {
      bytes: 10 * GIB,
      kind: 'disk',
      slot: 'scsi0',
      volume: 'shared:9000/base-9000-disk-0.qcow2/10000/vm-10000-disk-0.qcow2',
    },
  ];
  const web10000 = {
    machine: 'web',
    entry: 'e1',
    node: 'pve1',
    vmid: 10000,
    disks: { scsi0: 10 * GIB },
    losses: { snapshots: [], volumes },
  };
  expect(JSON.parse(after.told['guests']!)).toEqual({ guests: [web10000], unread: 0 });
});

test('guests of the owner that nobody asks for are told, with what would keep them; those of others are not', async () => {
  await lab.apply(web, { token: tokenOf((await lab.observe({ web })).told) });
  const db = { id: 'db', image: web.image, protection: true };
  await lab.apply(db, { entry: 'e2' });
  const theirs = { id: 'theirs', image: web.image };
  await lab.apply(theirs, { entry: 'e3', env: { PROXMOX_OWNER: 'another' } });
  const { told } = await lab.observe({ web }, { web: 'e1' });
  expect(JSON.parse(told['guests']!)).toMatchObject({
    guests: [
      { machine: 'web', entry: 'e1' },
      { machine: 'db', entry: 'e2', stays: 'it is protected.' },
    ],
    unread: 0,
  });
  const removed = await lab.observe({}, {}, { owner: '*' });
  const { guests } = JSON.parse(removed.told['guests']!) as { guests: { machine: string }[] };
  expect(guests.map(({ machine }) => machine)).toEqual(['web', 'db', 'theirs']);
});

test('among many guests of others those of the owner are read, and how many were not is told', async () => {
  const [left, other] = ['gone', 'other'].map(id => ({ ...web, id }));
  await lab.apply(left!);
  await lab.apply(other!, { env: { PROXMOX_OWNER: 'another' } });
  const [theirs] = lab.guests('other');
  const [gone] = lab.guests('gone');
  // listed before ours
  for (let vmid = 5000; vmid < 5120; vmid += 1)
    lab.world.guests[vmid] = { ...structuredClone(theirs!), vmid };
  const { told } = await lab.observe({ web });
  expect(JSON.parse(told['guests']!)).toMatchObject({
    guests: [{ machine: 'gone', vmid: gone!.vmid }],
    unread: 22,
  });
});

test('what a later release wrote into the mark is no difference, and stays where this one writes', async () => {
  await lab.apply(web, { token: tokenOf((await lab.observe({ web })).told) });
  const config = (): Record<string, string> => lab.guests('web')[0]!.config;
  config()['description'] = config()['description']!.replace('"v":1,', '"v":1,"zz":{"of":"later"},');
  expect((await lab.observe({ web }, { web: 'e1' })).told).toMatchObject({ 'web.status': 'in-sync' });
  expect((await lab.apply(Object.assign({}, web, { tags: ['blue'] }))).code).toBe(0);
  expect(config()['tags']).toContain('blue');
  expect(config()['description']).toContain('"zz":{"of":"later"}');
});

test('a change is told with its cost, applied in place, and then at rest', async () => {
  await lab.apply(web, { token: tokenOf((await lab.observe({ web })).told) });
  const tagged = { ...web, tags: ['blue'] };
  const { told } = await lab.observe({ web: tagged }, { web: 'e1' });
  expect(told).toMatchObject({ 'web.status': 'different', 'web.effect': 'live' });
  expect(JSON.parse(told['web.diff'] ?? '')).toMatchObject({
    does: ['writing tags'],
    changes: [{ field: 'tags', to: expect.stringContaining('blue') as string, effect: 'live' }],
  });
  expect((await lab.apply(tagged, { token: tokenOf(told) })).code).toBe(0);
  expect((await lab.observe({ web: tagged }, { web: 'e1' })).told).toMatchObject({ 'web.status': 'in-sync' });
});

test('a token that cannot be read allows nothing: what it showed, nobody knows', async () => {
  await lab.apply(web, { token: tokenOf((await lab.observe({ web })).told) });
  const tagged = { ...web, tags: ['blue'] };
  const later = Buffer.from(JSON.stringify({ n: 'x', worst: 'live', ofALater: 'release' })).toString(
    'base64url',
  );
  lab.writes();
  for (const token of [later, 'nonsense']) {
    const { code, stderr } = await lab.apply(tagged, { token });
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining('Plan again, read what it shows, then apply.'),
    ]);
  }
  expect(lab.writes()).toEqual([]);
});

test('a rebuild takes no snapshot that came after its plan: it is refused, and writes nothing', async () => {
  const one = { ...web, vmid: 20_001, rebuildOn: ['vmid'] };
  await lab.apply(one, { token: tokenOf((await lab.observe({ web: one })).told) });
  const anew = { ...one, vmid: 20_002, shutdownTimeout: '1s' };
  const { told } = await lab.observe({ web: anew }, { web: 'e1' });
  expect(told['web.effect']).toBe('rebuild');
  const call = await administratorOf(lab)('POST', '/nodes/pve1/qemu/20001/snapshot', { snapname: 'late' });
  expect(call).toBe(true);
  lab.writes();
  const token = tokenOf(told);
  expect(decoded(token)).toMatchObject({ losses: [expect.stringContaining('vm-20001-disk-0')] });
  const refused = await lab.apply(anew, { token });
  expect(refused.code).toBe(3);
  expect(refused.stderr).toContain('changed since the plan: the rebuild would also take late');
  expect(lab.writes()).toEqual([]);
  const again = await lab.observe({ web: anew }, { web: 'e1' });
  expect((await lab.apply(anew, { token: tokenOf(again.told) })).code).toBe(0);
  expect(lab.guests('web')).toMatchObject([{ vmid: 20_002 }]);
});

test('an apply that costs more than its plan showed is refused, and writes nothing', async () => {
  await lab.apply(web);
  lab.writes();
  const cheap = Buffer.from(JSON.stringify({ n: 'x', worst: 'none' })).toString('base64url');
  const { code, stderr } = await lab.apply({ ...web, tags: ['blue'] } as typeof web, { token: cheap });
  expect(code).toBe(3);
  expect(stderr).toContain('changed since the plan');
  expect(stderr).toContain('Plan again');
  expect(lab.writes()).toEqual([]);
});

test('an apply that was cut short is completed by the same apply', async () => {
  const token = tokenOf((await lab.observe({ web })).told);
  lab.simulator.faults.add({
    methods: ['POST', 'PUT'],
    path: '/nodes/*/qemu/10000/config',
    // an apply that read its machine alone reads all after the first, and tries once more
    count: 2,
    effect: { kind: 'answer', status: 403, text: 'Permission check failed' },
  });
  const cut = await lab.apply(web, { token });
  expect(cut.code).toBe(1);
  expect(cut.stderr).toContain('Running again is safe');
  expect((await lab.apply(web, { token })).code).toBe(0);
  expect(lab.guests('web')).toHaveLength(1);
});

test('each machine is told by itself: one wrong, one not known yet, one to be made', async () => {
  const { code, told } = await lab.observe({
    web,
    bad: { id: 'bad', memmory: '1Gi' },
    later: { id: 'later', image: { blank: true }, tags: { $unknown: '${x.y}' } },
  });
  expect(code).toBe(0);
  expect(told).toMatchObject({ 'web.status': 'absent', 'bad.status': 'refused', 'later.status': 'unknown' });
  expect(told['bad.refusal']).toContain('"memory"');
  expect(told['later.diff']).toContain('unknown until apply');
});

test('two machines that want one vmid contradict', async () => {
  const one = { id: 'one', vmid: 300, image: { blank: true } };
  const { told } = await lab.observe({ one, two: { ...one, id: 'two' } });
  expect([told['one.status'], told['two.status']]).toContain('refused');
});

describe('what observe cannot know ends it', () => {
  const query = (changes: object) =>
    JSON.stringify({ protocol: '1', cluster: '{"name":"lab"}', owner: 'o', ...changes });
  test('another protocol', async () => {
    expect(await runHere(['observe'], lab.access, query({ protocol: '99' }))).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('protocol 99') as string,
    });
  });
  test('wrong credentials', async () => {
    const env = { ...lab.access, PVE_TOKEN_SECRET: 'not-the-secret' };
    const { code, stdout, stderr } = await runHere(['observe'], env, query({}));
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('authentication failed: invalid credentials');
  });
  test('no Proxmox there', async () => {
    const env = { ...lab.access, PVE_ENDPOINT: 'https://127.0.0.1:1' };
    const { code, stderr } = await runHere(['observe'], env, query({}));
    expect(code).toBe(1);
    expect(stderr).toContain('127.0.0.1:1');
  });
});

test('facts of a machine that runs, of one that is absent, of the cluster', async () => {
  await lab.apply(web);
  const { told } = await lab.facts('web');
  const facts = Object.fromEntries(
    Object.entries(told).map(([name, text]) => [name, JSON.parse(text) as unknown]),
  );
  expect(facts).toMatchObject({
    vmid: 10000,
    node: 'pve1',
    name: 'web',
    phase: 'Running',
    powerState: 'running',
    restartRequired: false,
    cpu: { cores: 2, sockets: 1, threads: 2 },
  });
  expect(Object.keys(facts['macAddresses'] as object)).toEqual(['lan']);
  expect(facts['consoleUrl']).toBe(
    `${lab.simulator.url}/?console=kvm&novnc=1&vmid=10000&vmname=web&node=pve1`,
  );
  expect(facts).not.toHaveProperty('lastUpdated');
  expect(await lab.facts('nobody')).toMatchObject({ code: 0, told: {} });
  const cluster = await lab.facts();
  expect(cluster.told).toMatchObject({ ready: 'true', quorate: 'true' });
  expect(cluster.told['nodes']).not.toContain('used');
  expect((await lab.facts()).told).toEqual(cluster.told);
});

describe('an output that somebody reads and that is not known fails, and says why', () => {
  const required = { required: 'vmid,ipAddresses' };
  const fails = async (spec: object, why: string) => {
    expect((await lab.apply({ ...web, ...spec })).code).toBe(0);
    expect(await lab.facts('web')).toMatchObject({ code: 0 });
    const { code, stdout, stderr } = await lab.facts('web', required);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`web: ERROR: ipAddresses is read, and is not known: ${why}`);
    expect(stderr).toContain('Running again is safe');
  };
  test('the agent is off', () =>
    fails({ agent: false }, 'guest 10000 on pve1: the guest agent is off in the configuration.'));
  test('the guest is off', () => fails({ power: 'stopped' }, 'guest 10000 on pve1 is stopped.'));
  test('no agent runs in the guest', async () => {
    await lab.apply({ ...web, agent: true } as typeof web);
    const [guest] = lab.guests('web');
    guest!.system = { kind: 'none', bootMs: 0, agent: false, obeysShutdown: false };
    // it has had its time
    guest!.running!.since -= 3_600_000;
    await fails({ agent: true }, 'guest 10000 on pve1: QEMU guest agent is not running.');
  });
  test('one that is known is told, and an absent machine has none to tell', async () => {
    await lab.apply({ ...web, agent: true, waitFor: 'address' } as typeof web);
    const { code, told } = await lab.facts('web', required);
    expect(code).toBe(0);
    expect(JSON.parse(told['ipAddresses'] ?? '[]')).not.toEqual([]);
    expect(await lab.facts('nobody', required)).toMatchObject({ code: 0, told: {} });
  });
});
