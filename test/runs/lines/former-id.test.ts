import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runLine } from '../../reconciler/walk/live';
import { desiredJson, lab, type Json, type Lab } from '../../support/cluster/lab';
import { programAccess, takeWrites } from '../../support/cluster/program-access';

const doc = (id: string, extra: Json = {}): string =>
  JSON.stringify(desiredJson([{ id, image: { blank: true }, memory: '1Gi', power: 'stopped', ...extra }]));
const B = doc('b', { formerIds: ['a'] });
const THEIRS = 10_001;

let cluster: Lab;
afterEach(() => cluster.close());

const line = (words: string[], text: string, answer?: (question: string) => string) =>
  runLine(
    [...words, '--spec', '-'],
    { ...programAccess(cluster.simulator), PVE_TASK_POLL_INTERVAL: '5ms' },
    text,
    answer && { answer },
  );
const as = (source: string, ...words: string[]): string[] => [...words, '--source', source];
const theirs = (): object => structuredClone(cluster.world.guests[THEIRS]!);

/** Source one renames a to b; source two makes an a of its own; the guest of b goes by hand. */
beforeEach(async () => {
  cluster = await lab();
  expect(await line(as('one', 'reconcile'), doc('a'))).toMatchObject({ code: 0 });
  expect(await line(as('one', 'reconcile'), B)).toMatchObject({ code: 0 });
  expect(await line(as('two', 'reconcile'), doc('a'))).toMatchObject({ code: 0 });
  delete cluster.world.guests[10_000];
  takeWrites(cluster.simulator);
});

const FOUND =
  /only an id that b had before finds guest 10001 \(a\) on pve\d of owner team\/lab, machine a, and source "two" wrote that one last: .*take "a" out of formerIds of b.*PVE_SOURCE='two'.*Nothing was changed/;

test.each([
  ['plan', as('one', 'plan')],
  ['reconcile', as('one', 'reconcile')],
  ['power', ['power', 'start', 'b']],
  ['console', ['console', 'b']],
  ['snapshot', as('one', 'snapshot', 'create', 'b', 'now')],
])('%s leaves a machine of another source that has an id of before', async (_, words) => {
  const before = theirs();
  const { code, out, said } = await line(words, B);
  expect([code, out + said]).toEqual([3, expect.stringMatching(FOUND)]);
  expect(takeWrites(cluster.simulator)).toEqual([]);
  expect(theirs()).toEqual(before);
});

test('without that id in formerIds the machine is made, beside the other', async () => {
  const before = theirs();
  expect(await line(as('one', 'reconcile'), doc('b'))).toMatchObject({ code: 0 });
  expect(Object.values(cluster.world.guests).map(({ config }) => config['name'])).toContain('b');
  expect(theirs()).toEqual(before);
});

test('as that source it is the machine', async () => {
  expect(await line(as('two', 'reconcile'), B)).toMatchObject({ code: 0 });
  expect(cluster.world.guests[THEIRS]!.config['name']).toBe('b');
});

test('destroy --yes leaves it, until --source names that source', async () => {
  const refused = await line(as('one', 'destroy', 'b', '--yes'), B);
  expect(refused).toMatchObject({
    code: 3,
    said: expect.stringMatching(
      /only an id that b had before finds guest 10001 on pve\d: its mark names machine a, and source "two" wrote it last.*--source 'two'/,
    ),
  });
  expect(takeWrites(cluster.simulator)).toEqual([]);
  expect(await line(as('two', 'destroy', 'b', '--yes'), B)).toMatchObject({ code: 0 });
  expect(cluster.world.guests[THEIRS]).toBeUndefined();
});

test('the question of destroy names both machines and the source, and a yes is enough', async () => {
  const asked: string[] = [];
  const answers = (answer: string) => (question: string) => (asked.push(question), answer);
  expect(await line(as('one', 'destroy', 'b'), B, answers('n'))).toMatchObject({ code: 2 });
  expect(asked).toEqual([
    expect.stringMatching(
      /^b \(VM 10001 on .*Its mark names machine a, an id that b had before\. Source "two" wrote it last, and may want it still\./,
    ),
  ]);
  expect(takeWrites(cluster.simulator)).toEqual([]);
  expect(await line(as('one', 'destroy', 'b'), B, answers('y'))).toMatchObject({ code: 0 });
});

test('a rename that was not applied yet is no other machine: also by hand, from its own place', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'former-'));
  const file = join(folder, 'machines.json');
  const ran = (...words: string[]) =>
    runLine([...words, '--spec', file], {
      ...programAccess(cluster.simulator),
      PVE_TASK_POLL_INTERVAL: '5ms',
    });
  writeFileSync(file, doc('web'));
  expect(await ran('reconcile')).toMatchObject({ code: 0 });
  writeFileSync(file, doc('site', { formerIds: ['web'] }));
  expect(await ran('power', 'start', 'site')).toMatchObject({ code: 0 });
  expect(await ran('plan')).toMatchObject({ code: 0 });
  expect(await ran('destroy', 'site', '--yes')).toMatchObject({ code: 0 });
  rmSync(folder, { recursive: true });
});
