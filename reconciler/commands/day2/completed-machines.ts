import { desiredStates } from '../../input/desired-states';
import type { Options, Surroundings } from '../../input/surroundings';
import { EXIT } from '../../report/exit-code';

/**
 * Prints the names of the machines that the line under completion speaks of, one a line. Asks nobody; whatever cannot be
 * read gives no name and no word, because a shell would show it in the middle of the line.
 */
export async function completedMachines(around: Surroundings, options: Options): Promise<number> {
  try {
    const { states } = await desiredStates(options, { ...around, leavesOutUnknown: true });
    const names = new Set(states.flatMap(({ machines }) => machines.map(({ id }) => id)));
    if (names.size > 0) around.out(`${[...names].sort().join('\n')}\n`);
  } catch {
    // it is told when the line is run
  }
  return EXIT.done;
}
