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

/**
 * Whether a command that loses nothing may write. Where nobody can be asked it says what it would do, and does not. `does`
 * follows the word "this". `flags`: what the same line needs then, where that is more than `--yes`.
 */
export async function mayWrite(
  does: string,
  { yes }: Options,
  { ask, reporter }: Pick<Surroundings, 'ask' | 'reporter'>,
  flags = '--yes',
): Promise<boolean> {
  if (yes === true) return true;
  if (ask === undefined) {
    reporter.say('info', `Nothing was written to Proxmox. With ${flags} this ${does}`);
    return false;
  }
  const may = await saysYes(ask, `This ${does}`);
  if (!may) reporter.say('info', 'Nothing was written to Proxmox.');
  return may;
}

/** Asks a person whether to go on. Whatever is no yes is a no. */
async function saysYes(ask: NonNullable<Surroundings['ask']>, what: string): Promise<boolean> {
  const answer = await ask(`${what} Go on? [y/N] `);
  return /^y(?:es)?$/i.test(answer.trim());
}
