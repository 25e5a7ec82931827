import { counted } from '../../errors';

/** What an adoption writes, as a question says it. */
export function marksText(guests: readonly { vmid: number }[], owner: string): string {
  const count = counted(guests.length, 'guest', 'guests');
  const list = listOf(guests.map(({ vmid }) => vmid));
  return `writes the tag and the last line of the description of ${count}, for owner ${owner}: ${list}.`;
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
