import { counted } from '../../errors';
import type { Options, Surroundings } from '../../input/surroundings';
import { saysYes } from '../asking/agreed';

/** Whether the marks of these guests may be written: asks, unless that was said before. */
export function mayMark(
  guests: readonly { vmid: number }[],
  { yes }: Options,
  around: Surroundings,
): Promise<boolean> {
  const count = counted(guests.length, 'guest', 'guests');
  const list = guests.map(({ vmid }) => vmid).join(', ');
  const what = `the tag and the last line of the description of ${count}: ${list}`;
  return mayGoOn(around, yes === true, what);
}

/** Whether something may be written: it was said before, or a person says so now. Without either nothing is. */
async function mayGoOn({ ask, reporter }: Surroundings, isSaid: boolean, what: string): Promise<boolean> {
  if (isSaid) return true;
  if (ask === undefined) {
    reporter.say('info', `Nothing was written to Proxmox. With --yes this writes ${what}.`);
    return false;
  }
  const may = await saysYes(ask, `This writes ${what}.`);
  if (!may) reporter.say('info', 'Nothing was written to Proxmox.');
  return may;
}
