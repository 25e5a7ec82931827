// @ts-check
import { existsSync } from 'node:fs';

const rooms = [
  'spec',
  'constructs',
  'reconciler',
  'simulator',
  'stacks',
  'examples',
  'test',
  'bench',
  'scripts',
];

/** @typedef {{ name: string, command: string[], remedy: string }} Check */

/** The checks that only read the code. Slowest first: they run two at a time. @type {Check[]} */
export const staticChecks = [
  { name: 'lint', command: ['eslint', '.'], remedy: 'mend each line named above' },
  { name: 'types', command: ['tsc', '-p', 'tsconfig.json'], remedy: 'mend each line named above' },
  {
    name: 'rooms',
    command: [
      'depcruise',
      '--config',
      '.dependency-cruiser.cjs',
      '--output-type',
      'err-long',
      ...rooms.filter(room => existsSync(room)),
    ],
    remedy: 'each rule above says what the room may import',
  },
  {
    name: 'format',
    command: ['prettier', '--check', '--log-level', 'warn', '.'],
    remedy: 'run: npm run format',
  },
  { name: 'unused', command: ['knip'], remedy: 'delete what is unused, or use it' },
];

/** The unit tests as a check. `npm test` runs them as a suite instead, and counts them. @type {Check} */
export const unitTests = {
  name: 'unit',
  command: ['jest', '--selectProjects', 'unit', '--passWithNoTests'],
  remedy: 'mend the tests named above',
};
