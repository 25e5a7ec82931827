import type { ExistingResult } from '../../spec';
import type { World } from '../../simulator';
import { desiredText, run } from '../support/processes/cli';
import { existingLab, many, one, type ExistingLab, type Which } from '../support/runs/existing-lab';

let lab: ExistingLab;
afterEach(() => lab.close());

const open = async (change?: (made: World) => void): Promise<void> => void (lab = await existingLab(change));
const asked: ExistingLab['asked'] = (which, env) => lab.asked(which, env);

test.each<[string, Which]>([
  ['its number', { vmid: 100 }],
  ['its name', { name: 'legacy-db' }],
  ['a tag', { tag: 'prod' }],
  ['all three', { vmid: 100, name: 'legacy-db', tag: 'prod' }],
])('one guest by %s: what is known of it, and nothing is written', async (_, which) => {
  await open();
  const told = await asked(which);
  expect(told).toMatchObject({ problem: '', whyNoAddress: '' });
  expect(one(told)).toMatchObject({
    vmid: 100,
    node: 'pve3',
    name: 'legacy-db',
    powerState: 'running',
    cpu: { cores: 4, sockets: 1, threads: 4 },
    memory: 8 * 1024 ** 3,
    primaryIpAddress: expect.stringMatching(/^10(\.\d+){3}$/) as string,
    whyNoAddress: null,
    tags: ['prod', 'web'],
    disks: { scsi0: { slot: 'scsi0', size: 32 * 1024 ** 3 } },
    pool: null,
  });
  expect(lab.writes()).toEqual([]);
});

test('all guests with a tag, by their numbers; templates and containers are left out; a list may be empty', async () => {
  await open(made => {
    made.guests[9000]!.config['tags'] = 'web';
    made.guests[101]!.config['tags'] = 'web';
  });
  const told = await asked({ allWithTag: 'web' });
  expect(many(told).map(({ vmid, primaryIpAddress }) => [vmid, primaryIpAddress === null])).toEqual([
    [100, false],
    [205, true],
  ]);
  expect(told.whyNoAddress).toBe('guest 205 on pve1 is stopped');
  expect(await asked({ allWithTag: 'nobody' })).toMatchObject({ outputs: '[]', problem: '' });
  expect((await asked({ allWithTag: 'web', atLeast: 3 })).problem).toMatch(
    /only 2 of at least 3 virtual machines have tag "web": guest 100 .* on pve3, guest 205 .*Templates and containers are not read/,
  );
  expect((await asked({ allWithTag: 'WEB' })).problem).toContain('There is the tag "web"');
  expect(lab.writes()).toEqual([]);
});

test.each<[string, Which, RegExp]>([
  [
    'a name that is not there',
    { name: 'legacy-bd' },
    /no virtual machine has name "legacy-bd"\. Did you mean "legacy-db"\? Say another one.*Running again is safe/,
  ],
  ['a number that is free', { vmid: 999 }, /no virtual machine has vmid 999/],
  [
    'a number of another guest',
    { vmid: 205, name: 'legacy-db' },
    /has vmid 205 and name "legacy-db"\. There is guest 100 \(legacy-db\) on pve3, guest 205 \(web-2\)/,
  ],
  [
    'a template',
    { name: 'debian-12' },
    /There is template 9001 \(debian-12\) on pve1\. Templates and containers/,
  ],
  ['a container', { vmid: 101 }, /There is container 101/],
  [
    'a tag of two',
    { tag: 'web' },
    /2 virtual machines have tag "web": guest 100 \(legacy-db\) on pve3, guest 205 \(web-2\) on pve1\. Give the vmid/,
  ],
])('%s is told, with the choices, and a destroy could go on', async (_, which, says) => {
  await open();
  const told = await asked(which);
  expect(told.problem).toMatch(says);
  expect(one(told)).toMatchObject({ primaryIpAddress: '', ipAddresses: [] });
  expect(lab.writes()).toEqual([]);
});

test('a name that two guests have names both', async () => {
  await open(made => void (made.guests[205]!.config['name'] = 'legacy-db'));
  expect((await asked({ name: 'legacy-db' })).problem).toMatch(
    /^2 virtual machines have name "legacy-db": guest \d+ .*guest \d+ .*Give the vmid of the one that is meant\. Nothing/,
  );
});

test.each<[string, (made: World) => void, string]>([
  [
    'no agent',
    made => void delete made.guests[100]!.config['agent'],
    'guest agent is off in the configuration',
  ],
  ['a guest that is off', made => void (made.guests[100]!.running = null), 'guest 100 on pve3 is stopped'],
  [
    'a silent agent',
    made => void (made.guests[100]!.system.agent = false),
    'QEMU guest agent is not running',
  ],
  [
    'an agent that answers nonsense',
    made => void (made.guests[100]!.system.agentSays = 'nonsense'),
    'guest 100 on pve3',
  ],
])('%s: the address is null, and it is said why', async (_, change, says) => {
  await open(change);
  const told = await asked({ vmid: 100 });
  expect(told.whyNoAddress).toContain(says);
  expect(one(told)).toMatchObject({ primaryIpAddress: null, ipAddresses: [], node: 'pve3' });
  expect(one(told).whyNoAddress).toBe(told.whyNoAddress);
});

test('a machine of another owner is read by the names that its mark knows', async () => {
  await open();
  const applied = await lab.apply({
    ...{ id: 'web', image: { template: 'ubuntu-22.04' }, memory: '1Gi', power: 'stopped' },
    disks: [{ name: 'data', size: '1G', storage: 'local-lvm' }],
  } as { id: string });
  if (applied.code !== 0) throw new Error(applied.stderr);
  const before = JSON.stringify(lab.guests('web')[0]);
  lab.writes();
  const query = { owner: 'somebody/else', protocol: '1', cluster: '{"name":"other"}' };
  const existing = JSON.stringify({ id: 'x', name: 'web' });
  const ran = await run(['facts'], lab.access, JSON.stringify({ ...query, existing }));
  expect(Object.keys(one(JSON.parse(ran.stdout) as ExistingResult).disks)).toContain('data');
  expect(lab.writes()).toEqual([]);
  expect(JSON.stringify(lab.guests('web')[0])).toBe(before);
});

test('what nobody can mean is refused before anything is asked', async () => {
  await open();
  await expect(asked({})).rejects.toThrow(/existing\[db\].*does not say which guest is meant/);
  await expect(asked({ vmid: 99 })).rejects.toThrow(/existing\[db\]\.vmid: 99 .*100 to 999999999/);
  await expect(asked({ vmid: 1e12 })).rejects.toThrow(/100 to 999999999/);
  await expect(asked({ name: 'a\u001b[31m b' })).rejects.toThrow(/DNS labels/);
  await expect(asked({ vmid: 100, allWithTag: 'web' })).rejects.toThrow(/means nothing with allWithTag/);
  await expect(asked({ vmid: 100, atLeast: 1 })).rejects.toThrow(/means nothing without allWithTag/);
  await expect(asked({ vmID: 100, name: 'x' })).rejects.toThrow(/Did you mean "vmid"/);
  expect(lab.simulator.ledger.entries()).toEqual([]);
});

test('hostile names and tags are told as text that steers no terminal', async () => {
  await open(made => {
    Object.assign(made.guests[100]!.config, { name: 'a\u001b[2Jb\u202e', tags: 'web;x\u001b' });
    made.guests[205]!.config['name'] = '${evil}\u009b';
  });
  const told = await asked({ allWithTag: 'web' });
  expect(many(told).map(({ name }) => name)).toEqual(['a\\u001b[2Jb\\u202e', '${evil}\\u009b']);
  expect(JSON.stringify(told)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
});

test('a caller who may see nothing, or not ask the agent, is told what to grant', async () => {
  await open(made => {
    made.access.users['ops@pve'] = { enable: true, tokens: { tf: { value: 'narrow', privsep: false } } };
    made.access.roles['see'] = ['VM.Audit'];
  });
  const narrow = { PVE_TOKEN_ID: 'ops@pve!tf', PVE_TOKEN_SECRET: 'narrow' };
  expect((await asked({ vmid: 100 }, narrow)).problem).toContain('Grant VM.Audit on /vms');
  const { acl } = lab.world.access;
  acl.push({ path: '/vms/100', type: 'user', ugid: 'ops@pve', roleid: 'see', propagate: true });
  const told = await asked({ vmid: 100 }, narrow);
  expect(one(told)).toMatchObject({ vmid: 100, primaryIpAddress: null });
  expect(told.whyNoAddress).toContain('grant VM.GuestAgent.Audit on /vms/100');
  expect((await asked({ vmid: 205 }, narrow)).problem).toContain('Guests may be hidden from this caller');
});

test('status tells them beside the machines; other verbs leave them alone', async () => {
  await open();
  const document = JSON.parse(desiredText([])) as object;
  const existing = [
    { id: 'db', name: 'legacy-db' },
    { id: 'all', allWithTag: 'web' },
    { id: 'gone', vmid: 999 },
  ];
  const text = JSON.stringify({ ...document, existing });
  const told = await run(['status', '--spec', '-', '-o', 'json'], lab.access, text);
  expect(JSON.parse(told.stdout)).toMatchObject({
    existing: {
      db: { vmid: 100, node: 'pve3' },
      all: [{ vmid: 100 }, { vmid: 205 }],
      gone: { problem: expect.stringContaining('no virtual machine has vmid 999') as string },
    },
  });
  expect(told.code).toBe(3);
  const table = await run(['status', '--spec', '-'], lab.access, text);
  expect(table.stdout).toMatch(/^EXISTING +VMID +NAME/m);
  expect(table.stderr).toContain('gone: REFUSED: no virtual machine has vmid 999');
  for (const verb of ['plan', 'reconcile']) {
    expect(await run([verb, '--spec', '-'], lab.access, text)).toMatchObject({ code: 0 });
  }
  expect(lab.writes()).toEqual([]);
});
