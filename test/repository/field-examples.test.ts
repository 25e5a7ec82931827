import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { fieldExamples } from '../support/docs/field-examples';
import { fieldsInBoth, fieldsInHcl } from '../support/docs/said';
import { read } from './code-blocks';
import { root } from './copied-tree';

const PAGE = join('docs', 'field-examples.md');
const examples = fieldExamples();

const code = (words: string): string => `\`${words.replaceAll('\n', '\\n').replaceAll('|', '\\|')}\``;
const rows = examples.map(({ field, said, proxmox, cost }) => {
  const cells = [code(field), code(fieldsInBoth(said)), code(fieldsInHcl(said))];
  return `| ${[...cells, proxmox.map(code).join(' '), cost].join(' | ')} |`;
});

/** The page, as it is made of the examples. */
const page = `# Fields by example

Written by \`PICTURES=1 npx jest test/repository/field-examples\` from \`test/support/spec/machine-fields.ts\`: change the example there, not
this page.

What a machine that is there and runs is planned for each field: what is written to Proxmox, and what that costs.

- **live**: it is changed while the machine runs.
- **restart**: it waits for a restart; \`restart\` says whether one is done.
- **refused**: nothing is done, and the message says what to do.
- **only when it is made**: of a machine that is there nothing changes.

What each field is stands in [the reference of fields](model.md). In TypeScript they are the properties of \`Machine\`, in YAML those of
an entry of \`machines\`, in HCL those of an entry of \`machines\` of [the module](module.md).

## Machine

| field | TypeScript and YAML | HCL | what Proxmox keeps | what it costs |
|---|---|---|---|---|
${rows.join('\n')}
`;

test('the page of examples is made of them', () => {
  if (process.env['PICTURES']) writeFileSync(join(root, PAGE), page);
  expect(read(PAGE)).toBe(page);
});

test.each(examples.map(example => [example.field, example] as const))(
  '%s: read as YAML it is what is meant',
  (_, { said }) => {
    expect(parse(`{ ${fieldsInBoth(said)} }`)).toEqual(said);
  },
);

test('each field that Proxmox keeps is written in its example', () => {
  const silent = examples.filter(({ proxmox }) => proxmox.length === 0).map(({ field }) => field);
  expect(silent).toEqual([]);
});
