import { existsSync } from 'node:fs';
import path from 'node:path';

/** The `cdktf` command that the set-up installs. */
export const cdktfCommand = path.resolve(
  ...[__dirname, '..', '..', '..', '.engine', 'cdktf-cli', 'node_modules', '.bin', 'cdktf'],
);

/** Why the `cdktf` command cannot run here; undefined when it can. */
export function whyNoCdktf(): string | undefined {
  // Its terminal library brings no binary for later ones.
  if (Number(process.versions.node.split('.')[0]) > 22) return 'cdktf-cli 0.21 runs on node up to 22';
  return existsSync(cdktfCommand) ? undefined : 'run npm run setup cdktf-cli first';
}
