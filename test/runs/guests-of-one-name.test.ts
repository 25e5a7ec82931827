import { readFileSync } from 'node:fs';
import { blankMachine } from '../support/runs/blank-machine';
import type { CliLab } from '../support/processes/cli';
import { lineLab } from '../support/runs/line-lab';

/** What the pages say of the names that are tried here. */
const PAGES: Record<string, string[]> = {
  'docs/module.md': [
    'Two machines of one name in one call are refused, and so is a new machine whose name a machine of another owner has already.',
    'then there are two guests of one name, and each stays with its owner.',
    'is a warning of the review and of the apply, and the machine is made beside it.',
  ],
  'docs/manifests.md': [
    'A new machine whose name a machine of another owner has already is refused.',
    'then there are two guests of one name, and each stays with its owner.',
    'Any other guest of that name is a warning, and the machine is made beside it.',
  ],
};

let there: CliLab;
// the time in which a guest that is made shows no name: who asks meanwhile sees none
beforeEach(async () => (there = await lineLab({ taskMs: 500 })));
afterEach(() => there.close());

const VMIDS: Record<string, number> = { a: 501, b: 502 };
const named = (id: string) => ({ ...blankMachine, id, name: 'same', vmid: VMIDS[id] });
const planned = async (owner: string, id: string) =>
  (await there.observe({ [id]: named(id) }, { [id]: owner }, { owner })).told;
const applied = (owner: string, id: string, token = '') =>
  there.apply(named(id), { entry: owner, token, env: { PROXMOX_OWNER: owner } });

test.each(Object.entries(PAGES))('%s says so', (page, sentences) => {
  const text = readFileSync(page, 'utf8').replace(/\s+/g, ' ');
  for (const each of sentences) expect(text.includes(each) ? '' : each).toBe('');
});

test('a machine of another owner that is there: the plan refuses the name', async () => {
  expect(await applied('team/a', 'a')).toMatchObject({ code: 0 });
  expect((await planned('team/b', 'b'))['b.refusal']).toContain('the name same is taken: guest 501');
  expect(await applied('team/b', 'b')).toMatchObject({ code: 3 });
  expect(there.guests('same')).toHaveLength(1);
});

test('two owners whose plans were made before either was there: both are made, and stay at rest', async () => {
  const [a, b] = [await planned('team/a', 'a'), await planned('team/b', 'b')];
  expect(
    await Promise.all([applied('team/a', 'a', a['a.token']), applied('team/b', 'b', b['b.token'])]),
  ).toEqual([expect.objectContaining({ code: 0 }), expect.objectContaining({ code: 0 })]);
  expect(there.guests('same')).toHaveLength(2);
  expect((await planned('team/a', 'a'))['a.status']).toBe('in-sync');
  expect((await planned('team/b', 'b'))['b.status']).toBe('in-sync');
});

test('another machine of the same owner that is there: it is made, with a warning', async () => {
  expect(await applied('team/a', 'a')).toMatchObject({ code: 0 });
  expect(await applied('team/a', 'b')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('WARNING: two guests with one name: VM 501') as string,
  });
  expect(there.guests('same')).toHaveLength(2);
});

test('two machines of one call: its plan is refused', async () => {
  const both = await there.observe({ a: named('a'), b: named('b') }, { a: 'e1', b: 'e2' });
  expect([both.told['a.refusal'], both.told['b.refusal']]).toEqual([
    '',
    'machines[b].name: "same" is used by machine "a" too. Give each machine a name of its own.',
  ]);
});
