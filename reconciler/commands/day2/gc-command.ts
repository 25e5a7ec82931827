import type { Options } from '../../input/surroundings';
import { shellWord } from '../../report/shell-word';
import { inputsOf } from '../verb';

/** The command that removes what nobody wants any more, of what one source wrote, where it is named. */
export function gcCommand(source: string | undefined, options: Options): string {
  const words = ['gc', '--yes', ...(source === undefined ? [] : ['--source', source]), ...inputsOf(options)];
  return ['pve-reconciler', ...words.map(shellWord)].join(' ');
}
