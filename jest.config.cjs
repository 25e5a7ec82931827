/** One project per suite. Never set modulePaths here: `constructs` must stay the npm package, not our folder. */
const suites = {
  unit: ['spec', 'constructs', 'reconciler', 'simulator'],
  repository: ['repository'],
  contract: ['contract'],
  runs: ['runs'],
  e2e: ['e2e'],
};
const swc = [
  '@swc/jest',
  {
    jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
  },
];
module.exports = {
  projects: Object.entries(suites).map(([displayName, folders]) => ({
    displayName,
    testEnvironment: 'node',
    transform: { '\\.[cm]?[jt]s$': swc },
    // A file may be imported by the name that it will have when it is built: `./plan.js` is `./plan.ts`.
    moduleNameMapper: { '^(\\./.*)\\.js$': '$1' },
    transformIgnorePatterns: ['/node_modules/'],
    modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.engine/'],
    testMatch: folders.map(folder => `<rootDir>/test/${folder}/**/*.test.ts`),
  })),
  // Jest's own choice leaves one of two processors idle.
  maxWorkers: '100%',
  // Real processes: a slow machine is not a failure.
  testTimeout: 400_000,
};
