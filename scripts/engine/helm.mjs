// @ts-check
import { mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { at } from '../setup/root.mjs';
import { SetUpError } from '../setup/say.mjs';
import { hashOf } from '../setup/step.mjs';
import { go, hasGo, verifiedSource } from './go.mjs';

const version = 'v3.22.0';
const sum = 'h1:n1if5iQgHYsujPAcO5oonH/KiSNUmqmUF0iGVjSF3AU=';
const built = at('.engine', 'helm', 'helm');

/** Helm from its source: only the tests of the chart need it. @type {import('../setup/step.mjs').Step} */
export const helm = {
  name: 'helm',
  says: `Helm ${version} from its source: some minutes, once`,
  key: () => hashOf([], version, sum, process.platform, process.arch),
  outputs: () => [built],
  run: async () => {
    if (!hasGo())
      throw new SetUpError(
        'there is no Go to build Helm with: install Go 1.26 (https://go.dev/dl/), then run the same command again.',
      );
    const source = await verifiedSource({
      name: 'Helm',
      version,
      path: 'helm.sh/helm/v3',
      sum,
      needs: '1.26',
    });
    const made = at('.engine', 'work', 'helm');
    // The second: else it takes every cluster that it does not ask for a very old one.
    const linker = [
      `-X helm.sh/helm/v3/internal/version.version=${version}`,
      '-X helm.sh/helm/v3/pkg/chartutil.k8sVersionMinor=37',
    ].join(' ');
    const flags = ['-mod=readonly', '-trimpath', '-buildvcs=false', `-ldflags=-s -w ${linker}`, '-o', made];
    await go('build of Helm', source, ['build', ...flags, './cmd/helm'], '1.26');
    mkdirSync(path.dirname(built), { recursive: true });
    renameSync(made, built);
  },
};
