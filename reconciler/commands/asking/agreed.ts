import { InputError } from '../../errors';
import type { Options, Surroundings } from '../../input/surroundings';

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

/** Asks a person whether to go on. Whatever is no yes is a no. */
export async function saysYes(ask: NonNullable<Surroundings['ask']>, what: string): Promise<boolean> {
  const answer = await ask(`${what} Go on? [y/N] `);
  return /^y(?:es)?$/i.test(answer.trim());
}
