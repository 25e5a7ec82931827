import { MadeIds } from '../../reconciler/run/made-ids';

const run = {};
let ids: MadeIds;
beforeEach(() => (ids = new MadeIds()));

test.each([
  ['is there', () => ids.isThere(100), true],
  ['has failed', () => ids.forget(100), false],
  ['ended with its run', () => ids.release(run), false],
])('a guest of another machine whose making %s while somebody asks', async (_, end, isForAnother) => {
  ids.begins(100, run, 'team/db');
  const asked = ids.isForAnother(100, 'team/web');
  end();
  expect(await asked).toBe(isForAnother);
});

test.each([
  ['the machine itself', 'team/db'],
  ['a guest whose making does not end', 'team/web'],
])('%s is looked at', async (_, machine) => {
  ids.begins(100, run, 'team/db');
  expect(await ids.isForAnother(100, machine)).toBe(false);
});

test('a guest that nobody here makes is looked at', async () => {
  expect(await ids.isForAnother(101, 'team/web')).toBe(false);
});

test('after its run it is free again', async () => {
  ids.begins(100, run, 'team/db');
  ids.isThere(100);
  expect(await ids.isForAnother(100, 'team/web')).toBe(true);
  ids.release(run);
  expect(await ids.isForAnother(100, 'team/web')).toBe(false);
});
