import { InputError } from '../../errors';
import { desiredStates } from '../../input/desired-states';
import { entryNamed } from '../../input/known-word';
import type { Command, Options, Surroundings } from '../../input/surroundings';
import { EXIT } from '../../report/exit-code';
import { FLAGS } from '../flags';
import type { Verb } from '../verb';
import { bashScript, fishScript, MACHINES, zshScript, type Word } from './shell-scripts';

const SHELLS: Readonly<Record<string, (words: readonly Word[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** The command that prints the script by which a shell completes these verbs, their first words and their flags. */
export function completionOf(verbs: readonly Verb[]): Command {
  return (around, options, [shell = '']) => {
    if (shell === MACHINES) return completedMachines(around, options);
    if (Object.keys(options).length > 0)
      throw new InputError(
        `--spec, --manifests and --secrets belong to completion ${MACHINES} only: remove them.`,
      );
    around.out(entryNamed('completion', shell, SHELLS)(verbs.map(wordOf)));
    return Promise.resolve(EXIT.done);
  };
}

/** Prints the machines that the line speaks of. What cannot be read gives no word: a shell would show it in the line. */
async function completedMachines(around: Surroundings, options: Options): Promise<number> {
  try {
    const { states } = await desiredStates(options, { ...around, leavesOutUnknown: true });
    const names = new Set(states.flatMap(({ machines }) => machines.map(({ id }) => id)));
    if (names.size > 0) around.out(`${[...names].sort().join('\n')}\n`);
  } catch {
    // it is told when the line is run
  }
  return EXIT.done;
}

function wordOf({ name, says, flags, first = {}, machines = 0 }: Verb): Word {
  const known = flags.map(flag => FLAGS[flag]);
  return {
    name,
    says,
    first: Object.keys(first),
    machines,
    flags: [...known, ['-h, --help', 'print this help'] as const].map(([flag, about]) => ({
      long: /--[\w-]+/.exec(flag)?.[0] ?? '',
      short: /^-(\w),/.exec(flag)?.[1],
      takesValue: flag.includes('<'),
      says: about,
    })),
  };
}
