import { InputError } from '../../errors';
import type { Options, Surroundings } from '../../input/surroundings';
import { saysYes } from './says-yes';

/** Throws unless the person who asks for it knows that something is lost. */
export async function agreed(
  what: string,
  { options: { yes }, around: { ask } }: { options: Options; around: Pick<Surroundings, 'ask'> },
): Promise<void> {
  if (yes === true) return;
  if (ask === undefined)
    throw new InputError(`${what} Nobody can be asked here: add --yes. Nothing was changed.`);
  if (!(await saysYes(ask, what))) throw new InputError('not agreed: nothing was changed.');
}
