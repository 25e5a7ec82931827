import type { Surroundings } from '../../input/surroundings';

/** Whether something may be written: it was said before, or a person says so now. Without either nothing is. */
export async function mayGoOn(
  { ask, reporter }: Surroundings,
  isSaid: boolean,
  what: string,
): Promise<boolean> {
  if (isSaid) return true;
  if (ask === undefined) {
    reporter.say('info', `Nothing was written. With --yes this writes ${what}.`);
    return false;
  }
  const answer = await ask(`This writes ${what}. Go on? [y/N] `);
  const may = /^y(?:es)?$/i.test(answer.trim());
  if (!may) reporter.say('info', 'Nothing was written.');
  return may;
}
