/** A small tree that keeps every rule: each room with its door, and what the rules allow. Path → text. */
export const cleanTree: Readonly<Record<string, string>> = {
  'spec/index.ts': "export { Name } from './name';\n",
  'spec/name.ts': "import * as z from 'zod';\n\nexport const Name = z.string();\n",
  'constructs/index.ts': [
    "import { Construct } from 'constructs';",
    "import { Name } from '../spec';",
    '',
    'export class Machine extends Construct {',
    "  readonly name = Name.parse('web');",
    '}',
    '',
  ].join('\n'),
  'reconciler/cli.ts':
    "export { observe } from './observe/observe';\nexport { planFor } from './plan/plan';\n",
  'reconciler/observe/observe.ts':
    "import { get } from '../pve/http/client';\n\nexport const observe = () => get('/version');\n",
  'reconciler/plan/plan.ts':
    "import { Name } from '../../spec';\nimport { cores } from '../machine/parts/cpu';\n\nexport const planFor = () => [Name.parse('web'), cores];\n",
  'reconciler/machine/parts/cpu.ts': 'export const cores = 2;\n',
  'reconciler/pve/http/client.ts':
    "import { request } from 'undici';\n\nexport const get = (path: string) => request(`https://127.0.0.1${path}`);\n",
  'simulator/index.ts':
    "import { createServer } from 'node:http';\n\nexport const start = () => createServer();\n",
  'stacks/index.ts': "export { Machine } from '../constructs';\n",
  'examples/one/main.ts':
    "import { App } from 'cdktf';\nimport { Machine } from '../../constructs';\n\nnew Machine(new App(), 'web');\n",
  // A test may look behind a door.
  'test/spec/name.test.ts':
    "import { Name } from '../../spec/name';\n\ntest('a name is text', () => {\n  expect(Name.parse('web')).toBe('web');\n});\n",
};
