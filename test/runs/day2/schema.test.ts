import { readFileSync } from 'node:fs';
import { runLine } from '../../reconciler/walk/live';

test.each([
  [[], 'desired-state'],
  [['machine'], 'machine'],
])('schema %j prints the schema of %s, for editors', async (words, name) => {
  const { code, out } = await runLine(['schema', ...words]);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual(JSON.parse(readFileSync(`schema/${name}.json`, 'utf8')));
});

test('an unknown document names the closest', async () => {
  expect(await runLine(['schema', 'machin'])).toMatchObject({
    code: 2,
    said: expect.stringContaining('Did you mean machine?'),
  });
});
