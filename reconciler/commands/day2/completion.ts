import { closest } from '../../../spec';
import { InputError } from '../../errors';
import type { Command } from '../../input/surroundings';
import { EXIT } from '../../report/exit-code';
import { FLAGS, type Verb } from '../verb';
import { completedMachines } from './completed-machines';
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
    const { out } = around;
    if (Object.keys(options).length > 0)
      throw new InputError(
        `--spec, --manifests and --secrets belong to completion ${MACHINES} only: remove them.`,
      );
    const write = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
    if (write === undefined) {
      const names = Object.keys(SHELLS);
      const near = closest(shell, names);
      const meant = near === undefined ? '' : ` Did you mean ${near}?`;
      throw new InputError(`completion ${shell} is not known; allowed: ${names.join(', ')}.${meant}`);
    }
    out(write(verbs.map(wordOf)));
    return Promise.resolve(EXIT.done);
  };
}

function wordOf({ name, says, flags, first = [], machines = 0 }: Verb): Word {
  const known = flags.map(flag => FLAGS[flag]);
  return {
    name,
    says,
    first,
    machines,
    flags: [...known, ['-h, --help', 'print this help'] as const].map(([flag, about]) => ({
      long: /--[\w-]+/.exec(flag)?.[0] ?? '',
      short: /^-(\w),/.exec(flag)?.[1],
      takesValue: flag.includes('<'),
      says: about,
    })),
  };
}
