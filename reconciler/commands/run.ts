import { runDaemon } from '../daemon/daemon';
import { EXIT } from '../report/exit-code';
import type { Options, Surroundings } from '../input/surroundings';

/** Keeps Proxmox as it is wanted, until it is interrupted. */
export async function run(around: Surroundings, options: Options): Promise<number> {
  await runDaemon(options, around);
  return EXIT.done;
}
