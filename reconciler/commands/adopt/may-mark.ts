import { counted } from '../../errors';
import type { Options, Surroundings } from '../../input/surroundings';
import { mayGoOn } from '../asking/may-go-on';

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
