import { counted } from '../../errors';
import type { Options, Surroundings } from '../../input/surroundings';
import { oneLine } from '../../report/visible';
import { agreed } from '../asking/agreed';
import type { Difference } from './differences';

/**
 * Whoever stores what may cost a machine, or a part of it, says so. Undefined: what is stored now cannot be read, so nobody
 * knows what is lost.
 */
export async function agreeToLose(
  told: readonly Difference[] | undefined,
  options: Options,
  around: Pick<Surroundings, 'ask'>,
): Promise<void> {
  const says =
    told === undefined ? ['It is not known which machines leave.'] : [...leave(told), ...lose(told)];
  if (says.length > 0) await agreed(oneLine(says.join(' ')), { options, around });
}

function leave(told: readonly Difference[]): string[] {
  const leaving = told.flatMap(({ kind, machine }) => (kind === 'leaves' && machine ? [machine] : []));
  if (leaving.length === 0) return [];
  const what = `${counted(leaving.length, 'machine leaves', 'machines leave')}: ${leaving.join(', ')}.`;
  return [
    `${what} A daemon with --prune destroys what leaves, with its disks; without it the guests stay, and gc names them.`,
  ];
}

function lose(told: readonly Difference[]): string[] {
  const says = told.flatMap(({ machine, loses = [] }) => loses.map(what => `${machine} ${what}.`));
  return says.length === 0 ? [] : [...says, 'A daemon does so without asking.'];
}
