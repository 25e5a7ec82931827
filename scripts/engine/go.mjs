// @ts-check
import { mkdirSync } from 'node:fs';
import { findOnPath, run } from '../setup/command.mjs';
import { at, root } from '../setup/root.mjs';
import { SetUpError } from '../setup/say.mjs';

/** Whether anything can be built from Go source here. */
export const hasGo = () => findOnPath('go') !== undefined;

/**
 * Runs go with nobody's flags but ours, so that the same source gives the same program. Gives its stdout.
 * @param {string} name @param {string} cwd @param {string[]} args @param {string} needs the oldest Go that will do
 */
export function go(name, cwd, args, needs) {
  const { GOBIN, GOOS, GOARCH, GOEXPERIMENT, ...rest } = process.env;
  const scratch = at('.engine', 'work', 'go-tmp');
  mkdirSync(scratch, { recursive: true });
  const env = { ...rest, GOFLAGS: '', GOWORK: 'off', GO111MODULE: 'on', CGO_ENABLED: '0', GOTMPDIR: scratch };
  return run(findOnPath('go') ?? 'go', args, {
    name,
    cwd,
    env,
    remedy: `it needs Go ${needs} or newer and a Go module proxy in reach (go env GOVERSION GOPROXY); mend that and run the same command again.`,
  });
}

/**
 * Where the Go module proxy's copy of a module was put, once it proved to be the one we mean.
 * @param {{ name: string, version: string, path: string, sum: string, needs: string }} module
 */
export async function verifiedSource({ name, version, path, sum, needs }) {
  const asked = ['mod', 'download', '-json', `${path}@${version}`];
  const answer = JSON.parse(await go(`source of ${name}`, root, asked, needs));
  if (answer.Sum === sum) return String(answer.Dir);
  throw new SetUpError(
    `${name} ${version} came with the checksum ${answer.Sum}, not ${sum}: see which Go module proxy answers (go env GOPROXY).`,
  );
}
