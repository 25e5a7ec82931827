import { groupsOf } from '../../../reconciler/adopt/groups';
import type { Program } from '../../../reconciler/adopt/program';
import { FOLDER_FORMS } from '../../../reconciler/adopt/text/forms';

/** Four machines in each of these pools. */
const inPools = (...pools: string[]): Program => ({
  owner: 'team/lab',
  cluster: { name: 'lab' },
  machines: pools.flatMap((pool, row) =>
    [0, 1, 2, 3].map(index => ({
      json: { id: `m${row}-${index}`, vmid: 100 + row * 10 + index, adopt: true, pool },
      unmanaged: [],
    })),
  ),
});

test('each file of a program in TypeScript has a function of its own', () => {
  const files = FOLDER_FORMS['typescript']!(inPools('web-1', 'web1', 'web-12', 'web1-2'));
  const functions = [...files].flatMap(([name, text]) =>
    [...text.matchAll(/^export function (\w+)/gm)].map(([, word]) => [name, word!] as const),
  );
  const words = functions.map(([, word]) => word);
  expect(words).toHaveLength(4);
  expect(new Set(words).size).toBe(4);
  const main = files.get('main.ts')!;
  for (const [name, word] of functions) {
    expect(main).toContain(`import { ${word} } from './${name.replace('.ts', '')}';`);
    expect(main).toContain(`\n${word}(stack);`);
  }
});

test.each(['override', 'site_override', 'site-override', 'OVERRIDE'])(
  'no file is one that Terraform takes as an override: %s',
  pool => {
    const names = groupsOf(inPools(pool, 'db').machines).map(({ name }) => name);
    expect(names).toHaveLength(2);
    for (const name of names) expect(name).not.toMatch(/(?:^|_)override$/i);
  },
);
