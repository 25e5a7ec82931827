import type { Surroundings } from '../../input/surroundings';

/** Asks a person whether to go on. Whatever is no yes is a no. */
export async function saysYes(ask: NonNullable<Surroundings['ask']>, what: string): Promise<boolean> {
  const answer = await ask(`${what} Go on? [y/N] `);
  return /^y(?:es)?$/i.test(answer.trim());
}
