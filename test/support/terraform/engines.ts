import { readFileSync } from 'node:fs';
import path from 'node:path';
import { skipped } from '../skipped';

export interface Engine {
  name: string;
  path: string;
  version: string;
  env: Record<string, string>;
}

interface Engines {
  present: Engine[];
  absent: { name: string; why: string }[];
}

/** Registers the suite once for each engine the set-up found, and a skip for each it did not. */
export function describeEachEngine(title: string, suite: (engine: Engine) => void): void {
  const { present, absent } = enginesFound();
  for (const engine of present) describe(`${title}, ${engine.name} ${engine.version}`, () => suite(engine));
  for (const { name, why } of absent) skipped(`${title}, ${name}`, why);
}

/** The environment to start an engine with: ours in place of every TF_ setting of the person's. */
export function environmentFor(engine: Engine): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('TF_'));
  return { ...Object.fromEntries(kept), ...engine.env };
}

function enginesFound(): Engines {
  const file = path.resolve(__dirname, '..', '..', '..', '.engine', 'engines.json');
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Engines;
  } catch (cause) {
    throw new Error('The engine is not set up: run npm run setup first.', { cause });
  }
}
