// @ts-check
// A real API server of Kubernetes and kubectl, from their source, for the tests that need one.
import { copyFileSync, mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { at } from '../setup/root.mjs';
import { SetUpError } from '../setup/say.mjs';
import { hashOf } from '../setup/step.mjs';
import { go, hasGo } from './go.mjs';

const recipe = 'scripts/engine/kubernetes';
const built = at('.engine', 'kubernetes');
const programs = ['kube-apiserver', 'kubectl'];

/** @type {import('../setup/step.mjs').Step} */
export const kubernetes = {
  name: 'kubernetes',
  says: "kube-apiserver and kubectl from their source: about ten minutes and 3 GB of Go's caches, once",
  key: () => hashOf([recipe], process.platform, process.arch),
  outputs: () => programs.map(program => path.join(built, program)),
  run: async () => {
    if (!hasGo())
      throw new SetUpError(
        'there is no Go to build Kubernetes with: install Go 1.26 (https://go.dev/dl/), then run the same command again.',
      );
    // Go takes the folder for a module, and may write beside its files.
    const work = at('.engine', 'work', 'kubernetes');
    mkdirSync(work, { recursive: true });
    for (const name of ['go.mod', 'go.sum', 'tools.go'])
      copyFileSync(at(recipe, name), path.join(work, name));
    mkdirSync(built, { recursive: true });
    for (const program of programs) {
      const flags = ['-mod=readonly', '-trimpath', '-buildvcs=false', '-ldflags=-s -w', '-o', program];
      await go(`build of ${program}`, work, ['build', ...flags, `k8s.io/kubernetes/cmd/${program}`], '1.26');
      renameSync(path.join(work, program), path.join(built, program));
    }
  },
};
