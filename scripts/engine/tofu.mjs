// @ts-check
import { mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { findOnPath } from '../setup/command.mjs';
import { go, hasGo, verifiedSource } from './go.mjs';
import { at } from '../setup/root.mjs';
import { SetUpError } from '../setup/say.mjs';
import { hashOf } from '../setup/step.mjs';

const version = 'v1.12.6';
const sum = 'h1:0VT4P8pMmGcCUnQ9JDrJ+Qg2d35Vzm4FFd/9+H7oF98=';

/** Where the built OpenTofu is. It is moved here when complete, so it is whole if it is there. */
export const builtTofu = at('.engine', `tofu-${version}`, 'tofu');

/** OpenTofu is built only where there is no engine, or where a person asks for it: it takes minutes. */
export function isTofuWanted() {
  if (findOnPath('tofu')) return false;
  return !findOnPath('terraform') || process.env.ENGINE_WITH_TOFU === '1';
}

/** OpenTofu from its source. @type {import('../setup/step.mjs').Step} */
export const tofu = {
  name: 'tofu',
  says: `OpenTofu ${version} from its source: about ten minutes and 3 GB of Go's caches, once`,
  key: () => hashOf([], version, sum, process.platform, process.arch),
  outputs: () => [builtTofu],
  run: async () => {
    if (!hasGo()) throw new SetUpError(noEngine());
    // Its go.mod has a `replace`, so `go install` refuses it: build in the folder of the module itself.
    const source = await verifiedSource({
      name: 'OpenTofu',
      version,
      path: 'github.com/opentofu/opentofu',
      sum,
      needs: '1.26',
    });
    const made = at('.engine', 'work', 'tofu');
    const flags = ['-v', '-mod=readonly', '-trimpath', '-buildvcs=false'];
    // Without this it calls itself a development build.
    const linker = '-ldflags=-s -w -X github.com/opentofu/opentofu/version.dev=no';
    await go('build of OpenTofu', source, ['build', ...flags, linker, '-o', made, './cmd/tofu'], '1.26');
    mkdirSync(path.dirname(builtTofu), { recursive: true });
    renameSync(made, builtTofu);
  },
};

function noEngine() {
  const asked = findOnPath('terraform')
    ? 'ENGINE_WITH_TOFU=1 asks for OpenTofu and'
    : 'there is no terraform and no tofu on PATH, and';
  return `${asked} no Go to build OpenTofu with: install Terraform (https://developer.hashicorp.com/terraform/install), OpenTofu (https://opentofu.org/docs/intro/install/) or Go 1.26 (https://go.dev/dl/), then run the same command again.`;
}
