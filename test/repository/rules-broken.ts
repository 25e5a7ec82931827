import { readdirSync } from 'node:fs';
import { join } from 'node:path';

export interface Plant {
  /** The check of `npm run check` that turns red. */
  readonly check: 'rooms' | 'lint' | 'types' | 'format' | 'unused' | 'unit';
  /** What the check calls the fault; the file is the first of `files`. */
  readonly rule: string;
  readonly files: Readonly<Record<string, string>>;
  /** A part of the message that says what to do. */
  readonly says: string;
}

const rooms = (rule: string, says: string, ...faults: Readonly<Record<string, string>>[]): Plant[] =>
  faults.map(files => ({ check: 'rooms', rule, files, says }));

const lint = (rule: string, says: string, ...faults: Readonly<Record<string, string>>[]): Plant[] =>
  faults.map(files => ({ check: 'lint', rule, files, says }));

const constants = (count: number) =>
  Array.from({ length: count }, (_, n) => `export const x${n} = ${n};\n`).join('');

/** The folders of the reconciler that stand between the client of Proxmox and the verbs: each has a wall. */
const STAGES = readdirSync(join(__dirname, '../../reconciler'), { withFileTypes: true })
  .filter(entry => entry.isDirectory() && !['client', 'commands', 'pve', 'worker'].includes(entry.name))
  .map(({ name }) => name);

export const plants: Plant[] = [
  ...rooms(
    'room-spec',
    'It may import only: itself, zod, yaml. Move the code, or open the door',
    { 'spec/a-library.ts': "import 'undici';" },
    { 'spec/file.ts': "import 'node:fs';" },
    { 'spec/node-without-prefix.ts': "import 'fs';" },
    { 'spec/another-room.ts': "import '../reconciler';" },
    { 'spec/cdktf.ts': "import type { App } from 'cdktf'; export type A = App;" },
  ),
  ...rooms(
    'room-constructs',
    'the reconciler is only a file they ship. It may import only: itself, spec/, node:, cdktf',
    { 'constructs/reconciler.ts': "import '../reconciler';" },
    { 'constructs/client.ts': "import 'undici';" },
    { 'constructs/schema.ts': "import 'zod';" },
  ),
  ...rooms(
    'simulator-extras-by-one-file',
    'Only simulator/api/handlers joins them; move what both need into the core.',
    {
      'simulator/handlers/backups.ts': "import '../extras/backups';",
      'simulator/extras/backups.ts': 'export const kept = 1;',
    },
  ),
  ...rooms(
    'null-provider-by-one-file',
    'in the place of one file. Import constructs/private/stack/null-provider.',
    { 'constructs/null.ts': "import '@cdktf/provider-null/lib/resource';" },
  ),
  ...rooms(
    'room-reconciler',
    'never cdktf, constructs or the simulator. It may import only: itself, spec/, node:, undici',
    { 'reconciler/cdktf.ts': "import 'cdktf';" },
    { 'reconciler/cdktf-type.ts': "import type { App } from 'cdktf'; export type A = App;" },
    { 'reconciler/npm-constructs.ts': "import 'constructs';" },
    { 'reconciler/our-constructs.ts': "import '../constructs';" },
    { 'reconciler/simulator.ts': "export const late = () => import('../simulator');" },
    { 'reconciler/machine/parts/disks.ts': "import '../../../simulator';" },
  ),
  ...rooms(
    'room-reconciler-client',
    'the program is not loaded for it. It may import only: itself, node:. Move the code',
    { 'reconciler/client/upwards.ts': "import '../commands/apply';" },
    { 'reconciler/client/library.ts': "import 'undici';" },
  ),
  ...rooms(
    'room-reconciler-pve',
    'no spec, no plan. It may import only: itself, node:, undici, zod. Move the code',
    { 'reconciler/pve/spec.ts': "import '../../spec';" },
    { 'reconciler/pve/plan.ts': "import '../plan/plan';" },
    { 'reconciler/pve/commander.ts': "import 'commander';" },
  ),
  ...rooms(
    'room-simulator',
    'it shares no code with it and no library. It may import only: itself, node:. Move',
    { 'simulator/import.ts': "import 'undici';" },
    { 'simulator/export-from.ts': "export * from 'undici';" },
    { 'simulator/import-type.ts': "import type { Agent } from 'undici'; export type A = Agent;" },
    { 'simulator/type-of-import.ts': "export type A = import('undici').Agent;" },
    { 'simulator/require.ts': "export const a = require('undici');" },
    { 'simulator/import-require.ts': "import a = require('undici'); export { a };" },
    { 'simulator/dynamic-import.ts': "export const a = () => import('undici');" },
    { 'simulator/main-in-dist.ts': "import 'typescript-eslint';" },
    { 'simulator/not-installed.ts': "export const a = require('no-such-package');" },
    { 'simulator/spec.ts': "import '../spec';" },
    { 'simulator/reconciler.ts': "import '../reconciler';" },
  ),
  ...rooms('room-review-action', 'It is fetched alone, without our packages', {
    'review-action/zod.mjs': "import 'zod';",
    'review-action/reconciler.mjs': "import '../reconciler/index.ts';",
    'reconciler/index.ts': "export { planFor } from './plan/plan';",
  }),
  ...rooms(
    'room-stacks',
    'users of the constructs. It may import only: itself, constructs/, node:, cdktf, constructs. Move',
    { 'stacks/reconciler.ts': "import '../reconciler';" },
    { 'stacks/zod.ts': "import 'zod';" },
  ),
  ...rooms('room-examples', 'what a user would write. It may import only', {
    'examples/one/client.ts': "import '../../reconciler';",
  }),
  ...STAGES.map(stage => ({
    check: 'rooms' as const,
    rule: `stage-${stage}`,
    files: {
      [`reconciler/${stage}/upwards.ts`]: "import '../commands/apply';",
      'reconciler/commands/apply.ts': 'export {};',
    },
    says: 'Move the code, or open the door in .dependency-cruiser.cjs with a reason.',
  })),
  ...rooms(
    'stage-plan',
    'It may import only: itself, the nouns, guest, machine, mark, privileges, pve/keys.',
    {
      'reconciler/plan/reads.ts': "import '../observe/cluster';",
      'reconciler/observe/cluster.ts': 'export {};',
    },
  ),
  ...rooms(
    'planning-is-pure',
    'Read in observe, write in apply, and pass the facts in.',
    { 'reconciler/action.ts': "import 'node:http';" },
    { 'reconciler/observed.ts': "import 'http';" },
    { 'reconciler/placement/placement.ts': "import 'node:fs/promises';" },
  ),
  ...rooms('planning-is-pure-all-the-way', 'Split the file: what computes here, what sends there.', {
    'reconciler/plan/sizes.ts': "import '../machine/sizes';",
    'reconciler/machine/sizes.ts': "import '../pve/keys/sizes';",
    'reconciler/pve/keys/sizes.ts':
      "import type { get } from '../http/client'; export type Get = typeof get;",
  }),
  ...rooms(
    'rooms-by-their-door',
    'A room is entered by its index. Export what you need there, or move it.',
    { 'reconciler/deep.ts': "import '../spec/name';" },
    { 'reconciler/deep-type.ts': "import type { Name } from '../spec/name'; export type N = typeof Name;" },
    { 'examples/one/deep.ts': "import '../../simulator/clock';", 'simulator/clock.ts': 'export {};' },
    { 'scripts/deep.mjs': "import '../reconciler/observe/observe.ts';" },
  ),
  ...rooms(
    'no-cycles',
    'Move what both need into a third.',
    { 'spec/here.ts': "import './there';", 'spec/there.ts': "import './here';" },
    {
      'spec/type-here.ts': "import type { B } from './type-there'; export type A = B | 1;",
      'spec/type-there.ts': "import type { A } from './type-here'; export type B = A | 2;",
    },
  ),
  ...rooms(
    'known-rooms-only',
    'add a rule for it in .dependency-cruiser.cjs, with the reason.',
    { 'widgets/alone.ts': 'export {};' },
    { 'gadgets/index.ts': "import './part';", 'gadgets/part.ts': 'export {};' },
  ),

  ...lint('@typescript-eslint/no-floating-promises', 'await it, return it', {
    'spec/floating.ts': 'Promise.resolve(1);\nexport {};',
    'scripts/floating.mjs': 'Promise.resolve(1);',
  }),
  ...lint('@typescript-eslint/switch-exhaustiveness-check', 'add a case for each value named', {
    'spec/switch.ts':
      "export function f(x: 'a' | 'b') {\n  switch (x) {\n    case 'a':\n      return 1;\n  }\n  return 2;\n}",
  }),
  ...lint('@typescript-eslint/consistent-type-imports', 'write `import type`', {
    'spec/type-import.ts': "import { Name } from './name';\nexport type N = typeof Name;",
  }),
  ...lint('@typescript-eslint/no-explicit-any', 'write `unknown` and parse it', {
    'spec/any.ts': 'export const f = (x: any): number => x;',
  }),
  ...lint(
    '@typescript-eslint/consistent-type-assertions',
    'parse the value with a schema, or disable this one line with the reason',
    { 'spec/as.ts': 'export const f = (x: unknown) => x as number;' },
    { 'spec/angle.ts': 'export const f = (x: unknown) => <number>x;' },
  ),
  ...lint('@typescript-eslint/no-non-null-assertion', 'throw an error that names it', {
    'spec/non-null.ts': 'export const f = (x?: string): string => x!;',
  }),
  ...lint('@typescript-eslint/no-require-imports', 'write `import`', {
    'simulator/require.ts': "export const x: unknown = require('node:fs');",
  }),
  ...lint(
    'no-restricted-imports',
    "Write 'node:' before the name",
    { 'simulator/bare.ts': "import 'http';" },
    { 'simulator/bare-path.ts': "export * from 'fs/promises';" },
  ),
  ...lint('no-restricted-syntax', "Write 'node:' before the name", {
    'simulator/bare-late.ts': "export const f = () => import('fs/promises');",
  }),
  ...lint(
    'id-match',
    'use the word of the house: create (no birth)',
    { 'reconciler/waits/births.ts': 'export const births = 1;' },
    { 'spec/fields/at-birth.ts': 'export const AT_BIRTH = 1;' },
    { 'simulator/guest/doomed.ts': 'export interface LeftDoomed { vmid: number }' },
  ),
  ...lint('no-restricted-properties', 'let reconciler/commands give it', {
    'reconciler/apply/speaks.ts': "process.stdout.write('done');",
  }),
  ...lint('max-lines', 'two things live in this file', { 'spec/long.ts': constants(251) }),
  ...lint('max-lines-per-function', 'move that part into a function of its own', {
    'spec/long-function.ts': `export function f() {\n${'  f();\n'.repeat(39)}}`,
  }),
  ...lint('unused eslint-disable', 'delete the comment', {
    'spec/disable.ts': '// eslint-disable-next-line max-lines\nexport {};',
  }),

  {
    check: 'types',
    rule: 'TS2322',
    files: { 'spec/wrong.ts': "export const cores: number = 'two';" },
    says: "Type 'string' is not assignable to type 'number'",
  },
  {
    check: 'types',
    rule: 'TS2532',
    files: { 'spec/unchecked-index.ts': 'export const f = (x: string[]) => x[0].length;' },
    says: 'possibly',
  },
  {
    check: 'format',
    rule: 'format',
    files: { 'spec/crooked.ts': 'export   const x = "1"' },
    says: 'run: npm run format',
  },
  {
    check: 'unused',
    rule: 'nobodyCalls',
    files: {
      'spec/name.ts':
        'export const Name = { parse: (text: string) => text };\nexport const nobodyCalls = 1;\n',
    },
    says: 'delete what is unused, or use it',
  },
  {
    check: 'unit',
    rule: 'unit',
    files: { 'test/spec/fails.test.ts': "test('two is one', () => expect(2).toBe(1));\n" },
    says: 'mend the tests named above',
  },
];
