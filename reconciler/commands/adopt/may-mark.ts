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
  const list = listOf(guests.map(({ vmid }) => vmid));
  const what = `the tag and the last line of the description of ${count}, for owner ${owner}: ${list}`;
  if (ask === undefined) {
    reporter.say('info', `Nothing was written to Proxmox. With --yes this writes ${what}.`);
    return false;
  }
  const may = await saysYes(ask, `This writes ${what}.`);
  if (!may) reporter.say('info', 'Nothing was written to Proxmox.');
  return may;
}

const MOST_LISTED = 20;

/** Numbers as people read them: of many, those that follow each other are reported as one. */
function listOf(vmids: readonly number[]): string {
  if (vmids.length <= MOST_LISTED) return vmids.join(', ');
  const runs: [number, number][] = [];
  for (const vmid of vmids) {
    const last = runs.at(-1);
    if (last?.[1] === vmid - 1) last[1] = vmid;
    else runs.push([vmid, vmid]);
  }
  return runs.map(([from, to]) => (from === to ? String(from) : `${from} to ${to}`)).join(', ');
}
