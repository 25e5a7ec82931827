// @ts-check
// Which engines are here, and how a process is started so that it sees our configuration and nothing of the person's.
import { existsSync } from 'node:fs';
import { findOnPath, run } from '../setup/command.mjs';
import { root } from '../setup/root.mjs';
import { SetUpError } from '../setup/say.mjs';
import { builtTofu } from './tofu.mjs';

/**
 * What a process needs to run one engine: `env` goes over an environment without any TF_ setting.
 * @typedef {{ name: string, path: string, version: string, env: Record<string, string> }} Engine
 */

/** The engines that can be run now, most common first. */
export function foundEngines() {
  const built = existsSync(builtTofu) ? builtTofu : undefined;
  const places = { terraform: findOnPath('terraform'), tofu: findOnPath('tofu') ?? built };
  return Object.entries(places).flatMap(([name, place]) => (place ? [{ name, path: place }] : []));
}

/** The environment for a process that runs an engine: the caller's, with every TF_ setting replaced by ours. @param {Engine} engine */
export function environmentFor(engine) {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('TF_'));
  return { ...Object.fromEntries(kept), ...engine.env };
}

/** @param {{ name: string, path: string, env?: Record<string, string> }} engine */
export async function askVersion(engine) {
  const remedy = `put a ${engine.name} that works on PATH, then run the same command again.`;
  const answer = await run(engine.path, ['version', '-json'], {
    name: `${engine.name} version`,
    cwd: root,
    env: environmentFor({ version: '', env: { CHECKPOINT_DISABLE: '1' }, ...engine }),
    remedy,
  });
  const { terraform_version: version, platform } = JSON.parse(answer.slice(answer.indexOf('{')));
  if (!version || !platform) throw new SetUpError(`${engine.path} does not say its version: ${remedy}`);
  return { version: String(version), platform: String(platform) };
}
