// @ts-check
import { chmodSync, mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { askVersion, foundEngines } from './engine.mjs';
import { go, hasGo, verifiedSource } from './go.mjs';
import { mirror, registryOf } from './providers.mjs';
import { at } from '../setup/root.mjs';
import { SetUpError } from '../setup/say.mjs';
import { hashOf } from '../setup/step.mjs';

const version = '0.111.1';
const needs = '1.26';
const module = {
  name: "bpg's provider",
  version: `v${version}`,
  path: 'github.com/bpg/terraform-provider-proxmox',
  sum: 'h1:sRMDj3SaHKN2gbhKdteacF17jXmOiK5lfDMFj23nfBU=',
  needs,
};

/** @param {{ name: string }} engine */
const placeFor = ({ name }) => path.join(mirror, registryOf[name] ?? name, 'bpg', 'proxmox', version);

/** bpg's provider, which people come from: only the tests of moving and a row of the bench need it. @type {import('../setup/step.mjs').Step} */
export const bpg = {
  name: 'bpg',
  says: `bpg's provider ${version} from its source: some minutes, once`,
  key: () => hashOf(['scripts/engine/bpg.mjs'], foundEngines(), process.platform, process.arch),
  outputs: () => foundEngines().map(placeFor),
  run: async () => {
    if (!hasGo()) throw new SetUpError(`there is no Go to build bpg's provider with: install Go ${needs}.`);
    const source = await verifiedSource(module);
    for (const engine of foundEngines()) {
      const folder = path.join(placeFor(engine), (await askVersion(engine)).platform);
      const made = at('.engine', 'work', `terraform-provider-proxmox_v${version}`);
      const flags = [
        '-mod=readonly',
        '-trimpath',
        '-buildvcs=false',
        `-ldflags=-s -w -X main.version=${version}`,
      ];
      await go("build of bpg's provider", source, ['build', ...flags, '-o', made, '.'], needs);
      mkdirSync(folder, { recursive: true });
      chmodSync(made, 0o755);
      renameSync(made, path.join(folder, path.basename(made)));
    }
  },
};
