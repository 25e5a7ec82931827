import { counted } from '../../errors';
import type { Options, Surroundings } from '../../input/surroundings';
import { saysYes } from '../asking/agreed';

/** Whether the marks of these guests may be written: asks, unless that was said before. */
export async function mayMark(
  guests: readonly { vmid: number }[],
  owner: string,
  { yes }: Options,
  { ask, reporter }: Surroundings,
): Promise<boolean> {
  if (yes === true) return true;
  const count = counted(guests.length, 'guest', 'guests');
  const list = guests.map(({ vmid }) => vmid).join(', ');
  const what = `the tag and the last line of the description of ${count}, for owner ${owner}: ${list}`;
  if (ask === undefined) {
    reporter.say('info', `Nothing was written to Proxmox. With --yes this writes ${what}.`);
    return false;
  }
  const may = await saysYes(ask, `This writes ${what}.`);
  if (!may) reporter.say('info', 'Nothing was written to Proxmox.');
  return may;
}
