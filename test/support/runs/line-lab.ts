import { runLine } from '../../reconciler/walk/live';
import type { ClusterOptions } from '../cluster/start-cluster';
import { keepTold } from '../docs/told';
import { cliLab, cliLabsAfter, type CliLab, type Ran } from '../processes/cli';

/** Runs one command line of the program to its end, in this process: what is said and done, without the start of a process. */
export async function runHere(args: string[], env: Record<string, string> = {}, input = ''): Promise<Ran> {
  const { code, out, said } = await runLine(args, env, input);
  keepTold({ text: said, words: [] });
  return { code: Number(code ?? 0), stdout: out, stderr: said };
}

/** A `cliLab` whose program runs in this process. */
export const lineLab = (options: ClusterOptions = {}): Promise<CliLab> => cliLab(options, runHere);

/** The same for `cliLabsAfter`. */
export const lineLabsAfter = (work: (lab: CliLab) => Promise<Ran>) => cliLabsAfter(work, lineLab);
