import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Engine } from '../terraform/engines';

const mirror = path.resolve(__dirname, '..', '..', '..', '.engine', 'mirror');
const REGISTRY: Readonly<Record<string, string>> = {
  terraform: 'registry.terraform.io',
  tofu: 'registry.opentofu.org',
};

/** Why bpg's provider cannot run here; undefined when it can. `npm run setup bpg` builds it. */
export function whyNoBpg({ name }: Engine): string | undefined {
  const folder = path.join(mirror, REGISTRY[name] ?? name, 'bpg', 'proxmox');
  const isThere = existsSync(folder) && readdirSync(folder).length > 0;
  return isThere
    ? undefined
    : `bpg's provider is not in .engine/mirror/${REGISTRY[name]}/bpg/proxmox (npm run setup bpg)`;
}
