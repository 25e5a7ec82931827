import type { Options } from '../../input/surroundings';
import { shellWord } from '../../report/shell-word';
import { inputsOf } from '../verb';

/** The command that removes what a source wrote and nobody wants any more. */
export function gcCommand(source: string, options: Options): string {
  const words = ['gc', '--yes', '--source', source, ...inputsOf(options)];
  return ['pve-reconciler', ...words.map(shellWord)].join(' ');
}
