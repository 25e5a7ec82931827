import type { Surroundings } from '../../input/surroundings';
import { saysYes } from './says-yes';

/** Whether something may be written: it was said before, or a person says so now. Without either nothing is. */
export async function mayGoOn(
  { ask, reporter }: Surroundings,
  isSaid: boolean,
  what: string,
): Promise<boolean> {
  if (isSaid) return true;
  if (ask === undefined) {
    reporter.say('info', `Nothing was written to Proxmox. With --yes this writes ${what}.`);
    return false;
  }
  const may = await saysYes(ask, `This writes ${what}.`);
  if (!may) reporter.say('info', 'Nothing was written to Proxmox.');
  return may;
}
