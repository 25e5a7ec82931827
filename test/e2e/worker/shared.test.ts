import { marked } from '../../support/cluster/end-state';
import { readOf, sharedLab, small, until, type SharedLab } from '../../support/processes/shared-lab';

let lab: SharedLab;
beforeEach(async () => {
  lab = await sharedLab();
});
afterEach(() => lab.close());

const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
const codes = (runs: { ended: Promise<{ code: number | null; stderr: string }> }[]) =>
  Promise.all(runs.map(async each => (await each.ended).code));

test('processes that start at once share one worker, which leaves nothing behind', async () => {
  const runs = ids.map(id => lab.apply(small(id)));
  const seen = new Set<number>();
  const isOver = Promise.all(runs.map(({ ended }) => ended)).then(() => true);
  let over = false;
  void isOver.then(() => (over = true));
  await until(() => {
    lab.workers().forEach(pid => seen.add(pid));
    return over;
  });
  expect(await codes(runs)).toEqual(ids.map(() => 0));
  expect(seen.size).toBe(1);
  expect(ids.map(id => marked(lab.world, id).length)).toEqual(ids.map(() => 1));
  await until(() => lab.workers().length === 0);
  expect(lab.files()).toEqual([]);
});

test('each gets the lines and the exit code of its own machine', async () => {
  const runs = [lab.apply(small('a')), lab.apply(small('b', { pool: 'nowhere' }))];
  const [a, b] = await Promise.all(runs.map(({ ended }) => ended));
  expect([a?.code, b?.code]).toEqual([0, 3]);
  expect(a?.stderr).toMatch(/^a: /m);
  expect(a?.stderr).not.toMatch(/^b: /m);
  expect(b?.stderr).toContain('nowhere');
  expect(b?.stderr).not.toMatch(/^a: /m);
});

test('no secret is in the path of the worker, its environment or its command line', async () => {
  const secret = { NODE_AUTH_TOKEN: 'npm-secret', SSL_KEY_PASSWORD: 'key-secret' };
  const running = lab.apply(small('a'), secret);
  await until(() => lab.workers().length === 1);
  const [pid = 0] = lab.workers();
  await until(() => lab.files().length > 1);
  const told = [readOf(pid, 'cmdline'), readOf(pid, 'environ'), ...lab.files()].join('\n');
  expect(told).toContain('pve-run-');
  const given = Object.entries(lab.env).filter(([name]) => name.startsWith('PVE_') && name !== 'PVE_RUN');
  for (const [name, value] of [...given, ...Object.entries(secret)]) {
    expect([name, told.includes(value)]).toEqual([name, false]);
  }
  // nor does the name depend on it: who may list names could try what it is made of
  const other = lab.apply(small('b'), { NODE_AUTH_TOKEN: 'another' });
  expect((await running.ended).code).toBe(0);
  expect((await other.ended).code).toBe(0);
  expect(lab.workers()).toEqual([pid]);
});

test('two owners, and two credentials, get what is theirs from one worker', async () => {
  const narrow = { PVE_TOKEN_ID: 'root@pam!admin', PVE_TOKEN_SECRET: 'wrong' };
  const runs = [
    lab.apply(small('a')),
    lab.apply(small('a', { name: 'other' }), { PROXMOX_OWNER: 'b' }),
    lab.apply(small('c'), narrow),
  ];
  const [one, two, refused] = await Promise.all(runs.map(({ ended }) => ended));
  expect([one?.code, two?.code, refused?.code]).toEqual([0, 0, 1]);
  expect(refused?.stderr).toContain('root@pam!admin');
  expect(marked(lab.world, 'a').length).toBe(2);
});

test('two runs of one machine of one owner, one after the other, make one guest', async () => {
  const runs = [lab.apply(small('a')), lab.apply(small('a', { tags: ['new'] })), lab.apply(small('a'))];
  expect(await codes(runs)).toEqual([0, 0, 0]);
  expect(marked(lab.world, 'a').length).toBe(1);
});

test('a machine does not wait for another one that this worker makes, and that has no name yet', async () => {
  const slow = await sharedLab({ taskMs: 20_000 });
  try {
    const first = slow.apply(small('a'));
    await slow.asked('/nodes/pve1/qemu');
    const second = slow.apply(small('b'));
    await second.said('b: creating');
    first.child.kill('SIGINT');
    second.child.kill('SIGINT');
    expect([(await first.ended).code, (await second.ended).code]).toEqual([130, 130]);
  } finally {
    await slow.close();
  }
});

test('PVE_RUN=alone starts no worker, and another word is refused', async () => {
  expect((await lab.apply(small('a'), { PVE_RUN: 'alone' }).ended).code).toBe(0);
  expect(lab.files()).toEqual([]);
  const { code, stderr } = await lab.apply(small('a'), { PVE_RUN: 'alnoe' }).ended;
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('PVE_RUN is "alnoe"; allowed: shared, alone. Did you mean "alone"?'),
  });
});
