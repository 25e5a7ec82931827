// @ts-check
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { askVersion, foundEngines } from './engine.mjs';
import { mirror } from './providers.mjs';
import { at, root } from '../setup/root.mjs';
import { hashOf } from '../setup/step.mjs';

/** @typedef {import('./engine.mjs').Engine} Engine */
/** @typedef {{ present: Engine[], absent: { name: string, why: string }[] }} Engines */

/** Writes `.engine/engines.json`, which tests and the demo read. @type {import('../setup/step.mjs').Step} */
export const engines = {
  name: 'engine',
  says: 'who is here, and our own configuration for it',
  key: () => hashOf(['scripts/engine/engines-file.mjs'], root, foundEngines().map(fingerprint)),
  outputs: () => [at('.engine', 'engines.json'), cliConfiguration],
  run: async () => {
    mkdirSync(at('.engine'), { recursive: true });
    writeFileSync(cliConfiguration, cliConfigurationText());
    /** @type {Engine[]} */
    const present = [];
    for (const found of foundEngines()) present.push(await described(found));
    const absent = ['terraform', 'tofu'].filter(name => !present.some(engine => engine.name === name));
    /** @type {Engines} */
    const all = { present, absent: absent.map(name => ({ name, why: remedyFor[name] ?? '' })) };
    writeFileSync(at('.engine', 'engines.json'), `${JSON.stringify(all, null, 2)}\n`);
  },
};

/** @type {Record<string, string>} */
const remedyFor = {
  terraform: 'no terraform on PATH',
  tofu: 'no tofu on PATH; ENGINE_WITH_TOFU=1 builds it where Go is',
};

/** @returns {Engines} what the set-up found; call it only after the set-up */
export const readEngines = () => JSON.parse(readFileSync(at('.engine', 'engines.json'), 'utf8'));

const cliConfiguration = at('.engine', 'cli.tfrc');

/** Providers come from the mirror and from nowhere else. */
function cliConfigurationText() {
  const path = JSON.stringify(mirror).replaceAll('${', '$${').replaceAll('%{', '%%{');
  return `provider_installation {\n  filesystem_mirror {\n    path = ${path}\n  }\n}\ndisable_checkpoint = true\n`;
}

/** @param {{ name: string, path: string }} found @returns {Promise<Engine>} */
async function described({ name, path }) {
  const env = {
    TF_CLI_CONFIG_FILE: cliConfiguration,
    TF_IN_AUTOMATION: '1',
    CHECKPOINT_DISABLE: '1',
    TERRAFORM_BINARY_NAME: path,
    // `providers lock`, which the cdktf command runs by itself, does not read the CLI configuration.
    TF_CLI_ARGS_providers_lock: `-fs-mirror=${shellQuoted(mirror)}`,
    // Else the cdktf command fills the person's own plugin cache with links into our mirror.
    CDKTF_DISABLE_PLUGIN_CACHE_ENV: '1',
  };
  const engine = { name, path, version: '', env };
  return { ...engine, version: (await askVersion(engine)).version };
}

/** @param {{ name: string, path: string }} engine */
function fingerprint({ path }) {
  const { size, mtimeMs } = statSync(path);
  return [path, size, mtimeMs];
}

/** @param {string} text */
const shellQuoted = text => `'${text.replaceAll("'", String.raw`'\''`)}'`;
