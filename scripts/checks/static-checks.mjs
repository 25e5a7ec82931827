// @ts-check
/** @typedef {{ name: string, command: string[], remedy: string }} Check */

/** What did not change is not read again. @param {string} name */
const cacheIn = name => [
  '--cache',
  '--cache-strategy',
  'content',
  '--cache-location',
  `.setup/cache/${name}`,
];

/** The checks that only read the code. Slowest first: they run two at a time. @type {Check[]} */
export const staticChecks = [
  {
    name: 'lint',
    command: ['eslint', ...cacheIn('lint'), '--format', './scripts/lint-report.mjs', '.'],
    remedy: 'mend each line named above',
  },
  {
    name: 'types',
    command: ['tsc', '-p', 'tsconfig.json', '--incremental', '--tsBuildInfoFile', '.setup/cache/types'],
    remedy: 'mend each line named above',
  },
  {
    name: 'rooms',
    command: ['depcruise', '--config', '.dependency-cruiser.cjs', '--output-type', 'err-long', '.'],
    remedy: 'each rule above says what the room may import',
  },
  {
    name: 'format',
    command: ['prettier', ...cacheIn('format'), '--check', '--log-level', 'warn', '.'],
    remedy: 'run: npm run format',
  },
  { name: 'schema', command: ['node', 'scripts/schema.mjs', '--check'], remedy: 'run: npm run schema' },
  { name: 'api', command: ['node', 'scripts/api.mjs', '--check'], remedy: 'run: node scripts/api.mjs' },
  { name: 'unused', command: ['knip'], remedy: 'delete what is unused, or use it' },
];

/** The unit tests as a check. `npm test` runs them as a suite instead, and counts them. @type {Check} */
export const unitTests = {
  name: 'unit',
  command: ['jest', '--selectProjects', 'unit', '--passWithNoTests'],
  remedy: 'mend the tests named above',
};
