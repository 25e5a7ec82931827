// @ts-check
// The null and external providers, in a mirror of our own under .engine: from their registry where it is in reach,
// otherwise built from HashiCorp's source. Behind the mirror nobody sees a difference but the version.
import { chmodSync, copyFileSync, cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { logOf, succeeds, tailOf } from '../setup/command.mjs';
import { askVersion, environmentFor, foundEngines } from './engine.mjs';
import { go, hasGo } from './go.mjs';
import { at } from '../setup/root.mjs';
import { say, SetUpError } from '../setup/say.mjs';
import { hashOf } from '../setup/step.mjs';

/** The folder the engines install providers from. */
export const mirror = at('.engine', 'mirror');

/** What the Go module proxy has of them; a stack of ours asks for at least these. */
const sources = { null: '1.0.0', external: '1.2.0' };
/** @type {Record<string, string>} */
export const registryOf = { terraform: 'registry.terraform.io', tofu: 'registry.opentofu.org' };
const patienceMs = 40_000;

/** @type {import('../setup/step.mjs').Step} */
export const providers = {
  name: 'providers',
  says: 'null and external for the engine',
  key: () =>
    hashOf(
      ['go.mod', 'go.sum', 'tools.go', 'providers.mjs'].map(name => `scripts/engine/${name}`),
      foundEngines().map(engine => engine.name),
      process.platform,
      process.arch,
    ),
  outputs: () =>
    foundEngines().flatMap(({ name }) =>
      Object.keys(sources).map(provider =>
        path.join(mirror, registryOf[name] ?? name, 'hashicorp', provider),
      ),
    ),
  run: async () => {
    const work = at('.engine', 'work');
    const made = path.join(work, 'mirror');
    for (const engine of foundEngines()) {
      const registry = registryOf[engine.name] ?? '';
      const probe = path.join(work, `probe-${engine.name}`);
      if (await isServed(engine, probe)) {
        // What an engine installs is laid out like a mirror.
        cpSync(path.join(probe, '.terraform', 'providers'), made, { recursive: true });
      } else {
        say(`  ${registry} does not serve them here (${reason(engine)}): building them`);
        await buildInto(
          path.join(made, registry, 'hashicorp'),
          registry,
          (await askVersion(engine)).platform,
        );
      }
    }
    rmSync(mirror, { recursive: true, force: true });
    renameSync(made, mirror);
  },
};

/** Only a real installation proves a registry: the packages come from other hosts than the list of them. @param {{ name: string, path: string }} engine @param {string} folder */
function isServed(engine, folder) {
  mkdirSync(folder, { recursive: true });
  const wanted = Object.entries(sources).map(([name, version]) => [
    name,
    { source: `hashicorp/${name}`, version: `>= ${version}` },
  ]);
  writeFileSync(
    path.join(folder, 'main.tf.json'),
    JSON.stringify({ terraform: { required_providers: Object.fromEntries(wanted) } }),
  );
  writeFileSync(path.join(folder, 'cli.tfrc'), 'provider_installation {\n  direct {}\n}\n');
  const env = { TF_CLI_CONFIG_FILE: path.join(folder, 'cli.tfrc'), CHECKPOINT_DISABLE: '1' };
  return succeeds(engine.path, ['init', '-backend=false', '-input=false', '-no-color'], {
    name: `probe ${engine.name}`,
    cwd: folder,
    env: environmentFor({ ...engine, version: '', env }),
    timeoutMs: patienceMs,
    remedy: '',
  });
}

/** @param {{ name: string }} engine */
function reason(engine) {
  const log = tailOf(logOf(`probe ${engine.name}`), 50).replaceAll(/\s+/g, ' ');
  const known =
    /no such host|connection refused|i\/o timeout|certificate[^.]*|Forbidden|deadline exceeded/.exec(log);
  return known?.[0] ?? `see ${logOf(`probe ${engine.name}`)}`;
}

/** @param {string} folder @param {string} registry @param {string} platform */
async function buildInto(folder, registry, platform) {
  if (!hasGo()) {
    throw new SetUpError(
      `the null and external providers are neither in reach at ${registry} nor, without Go, can they be built: open the way to ${registry}, or install Go 1.21 or newer (https://go.dev/dl/), then run the same command again.`,
    );
  }
  const out = at('.engine', 'work', 'out');
  mkdirSync(out, { recursive: true });
  const packages = Object.keys(sources).map(
    name => `github.com/terraform-providers/terraform-provider-${name}`,
  );
  const flags = ['-v', '-mod=readonly', '-trimpath', '-buildvcs=false', '-ldflags=-s -w'];
  await go(
    'build of the providers',
    at('scripts', 'engine'),
    ['build', ...flags, '-o', `${out}/`, ...packages],
    '1.21',
  );
  for (const [name, version] of Object.entries(sources)) {
    const place = path.join(folder, name, version, platform);
    mkdirSync(place, { recursive: true });
    const file = path.join(place, `terraform-provider-${name}_v${version}`);
    copyFileSync(path.join(out, `terraform-provider-${name}`), file);
    chmodSync(file, 0o755);
  }
}
