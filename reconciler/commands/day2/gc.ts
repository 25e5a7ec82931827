import { Orphans, type Orphan } from '../../daemon/orphans';
import { destroyMachine } from '../../destroy/destroy';
import { desiredStates } from '../../input/desired-states';
import type { Options, Surroundings } from '../../input/surroundings';
import { EXIT, exitCodeOfAll } from '../../report/exit-code';
import { oneLine } from '../../report/visible';
import type { Run } from '../../run/run';
import { eachState } from '../each-state';
import { withRun } from '../with-run';

/**
 * Names the guests of the owners of the given desired states that those ask for no more. With `--yes` it destroys them,
 * but for those that a Terraform entry holds.
 */
export async function gc(given: Surroundings, options: Options): Promise<number> {
  const { states, around } = await desiredStates(options, given);
  const errors: unknown[] = [];
  const found = await eachState<Orphan>(states, around, (state, access) =>
    withRun(access, around, state, async run => {
      const orphans = await new Orphans(Infinity).find(run.pve, run.cluster, [state]);
      if (options.yes) for (const orphan of orphans) errors.push(...(await remove(run, orphan)));
      return orphans;
    }),
  );
  around.signal.throwIfAborted();
  const lines = found.length === 0 ? ['no orphan was found.'] : found.map(each => lineOf(each, options));
  around.out(`${options.json ? JSON.stringify({ orphans: found }) : lines.join('\n')}\n`);
  return errors.length === 0 ? EXIT.done : exitCodeOfAll(errors);
}

/** The errors of one; it stops no other. */
async function remove(run: Run, { owner, machine, entry }: Orphan): Promise<unknown[]> {
  if (entry !== undefined) return [];
  try {
    await destroyMachine(run, { owner, ids: [machine] });
    return [];
  } catch (error) {
    run.report({ kind: 'failed', machine, action: { kind: 'destroy' }, error });
    return [error];
  }
}

function lineOf({ owner, machine, vmid, node, entry }: Orphan, { yes }: Options): string {
  const place = oneLine(`${machine}: VM ${vmid} on ${node}, of ${owner}`);
  if (entry !== undefined) return `${place}: held by a Terraform state, left alone. Destroy it there.`;
  return yes ? `${place}: was to be destroyed.` : `${place}: nothing asks for it. gc --yes destroys it.`;
}
