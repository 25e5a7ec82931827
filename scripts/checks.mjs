import { exec } from 'node:child_process';
import path from 'node:path';
import { at, root } from './setup/root.mjs';

const eachLine = 'mend each line named above';
/** What did not change is not read again. @param {string} name */
const cache = name => `--cache --cache-strategy content --cache-location .setup/cache/${name}`;

/** The command of each check, and what to do when it fails. The longest first: the others are done beside it. */
const checks = {
  unit: ['jest --selectProjects unit --passWithNoTests', 'mend the tests named above'],
  lint: [`eslint ${cache('lint')} --format ./scripts/lint-report.mjs .`, eachLine],
  types: ['tsc -p tsconfig.json --incremental --tsBuildInfoFile .setup/cache/types', eachLine],
  rooms: ['depcruise --output-type err-long .', 'each rule above says what the room may import'],
  format: [`prettier ${cache('format')} --check --log-level warn .`, 'run: npm run format'],
  schema: [
    'tsx scripts/schema.ts --check && tsx scripts/coverage.ts --check',
    'run: npm run schema, or npm run coverage',
  ],
  api: [
    'typedoc --out .setup/api-$$ && cat docs/api-introduction.md .setup/api-$$/api.md | diff docs/api.md - && rm -r .setup/api-$$',
    'run: npm run api',
  ],
  unused: ['knip', 'delete what is unused, or use it'],
};
/** @typedef {keyof typeof checks} Check */
export const checkNames = /** @type {Check[]} */ (Object.keys(checks));

/** Runs checks two at a time, tells each result as it comes, and gives those that failed. @param {Check[]} names */
export async function runChecks(names) {
  const queue = [...names];
  /** @type {Check[]} */
  const failed = [];
  const work = async () => {
    for (let name = queue.shift(); name; name = queue.shift()) if (!(await passes(name))) failed.push(name);
  };
  await Promise.all([work(), work()]);
  return failed;
}

/** @param {Check} name @returns {Promise<boolean>} */
function passes(name) {
  const [command, remedy] = checks[name];
  const started = Date.now();
  // Some tools colour what they print into a pipe when CI or FORCE_COLOR is set; it is read by programs too.
  const { FORCE_COLOR, ...env } = process.env;
  const folders = [path.dirname(process.execPath), at('node_modules', '.bin'), env.PATH];
  Object.assign(env, { NO_COLOR: '1', PATH: folders.join(path.delimiter) });
  return new Promise(resolve => {
    exec(`${command} 2>&1`, { cwd: root, env, maxBuffer: 1 << 28 }, (error, output) => {
      const told = `${name} ${((Date.now() - started) / 1000).toFixed(1)} s`;
      console.log(error ? `${output.trimEnd()}\nFAIL  ${told}: ${remedy}` : `ok    ${told}`);
      resolve(!error);
    });
  });
}
