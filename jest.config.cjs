// Each node that a test starts would read these certificates at its start, 60 to 90 ms of processor. The servers of tests have
// their own; only npm asks others.
const { NODE_EXTRA_CA_CERTS: certificates } = process.env;
if (certificates) process.env.npm_config_cafile ??= certificates;
delete process.env.NODE_EXTRA_CA_CERTS;

/** One project per suite. Never set modulePaths here: `constructs` must stay the npm package, not our folder. */
const suites = {
  unit: ['spec', 'constructs', 'reconciler'],
  simulator: ['simulator', 'contract'],
  repository: ['repository'],
  runs: ['runs'],
  e2e: ['e2e'],
};
const swc = [
  '<rootDir>/test/support/jest/transform.cjs',
  {
    jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
    module: { type: 'commonjs' },
    sourceMaps: true,
  },
];
module.exports = {
  projects: Object.entries(suites).map(([displayName, folders]) => ({
    displayName,
    // One name: what was compiled for one suite is found by the next.
    id: 'suites',
    testEnvironment: 'node',
    transform: { '\\.[cm]?[jt]s$': swc },
    // A file may be imported by the name that it will have when it is built: `./plan.js` is `./plan.ts`.
    moduleNameMapper: {
      '^(\\.\\.?/.*)\\.js$': '$1',
      // zod loads each language that it speaks, in each test file anew; English is enough
      '^\\.\\./locales/index\\.cjs$': '<rootDir>/node_modules/zod/v4/locales/en.cjs',
    },
    transformIgnorePatterns: ['/node_modules/'],
    modulePathIgnorePatterns: [
      '<rootDir>/dist/',
      '<rootDir>/simulator/(dist|clients)/',
      '<rootDir>/.engine/',
      '<rootDir>/.setup/',
    ],
    testMatch: folders.map(folder => `<rootDir>/test/${folder}/**/*.test.ts`),
  })),
  testSequencer: '<rootDir>/test/support/jest/slow-first.cjs',
  // Jest's own choice leaves one of two processors idle.
  maxWorkers: '100%',
  // The longest takes 65 s on a quiet machine: examples that start whole programs.
  testTimeout: 180_000,
};
