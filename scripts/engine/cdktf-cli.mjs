// @ts-check
import { cpSync, mkdirSync } from 'node:fs';
import { npmCi } from '../setup/npm.mjs';
import { at } from '../setup/root.mjs';
import { hashOf } from '../setup/step.mjs';

const recipe = 'scripts/engine/cdktf-cli';

/** The `cdktf` command, 400 MB, in a package of its own: only some end-to-end tests need it. @type {import('../setup/step.mjs').Step} */
export const cdktfCli = {
  name: 'cdktf-cli',
  says: 'npm ci of the cdktf command, about a minute',
  key: () => hashOf([recipe], process.platform, process.arch),
  outputs: () => [at('.engine', 'cdktf-cli', 'node_modules', '.bin', 'cdktf')],
  run: async () => {
    mkdirSync(at('.engine', 'cdktf-cli'), { recursive: true });
    cpSync(at(recipe), at('.engine', 'cdktf-cli'), { recursive: true });
    await npmCi('npm ci of cdktf-cli', at('.engine', 'cdktf-cli'));
  },
};
