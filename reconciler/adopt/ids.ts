import { idOfName, numberedId } from '../guest/id-of-guest';
import { ownerTag } from '../mark/owner-tag';
import type { Run } from '../run/run';
import type { LeftAlone } from './candidates';
import type { Called } from './spec/guest-draft';
import { unlike } from './spec/networks';

/** A guest that is to be called: what its mark says that it is, what another tool calls it, and its name. */
export interface Nameless {
  vmid: number;
  marked: string | undefined;
  wish: string | undefined;
  name: string | undefined;
}

/** Whether another guest than this one is the owner's machine of an id already: two would be proven to be one machine. */
type IsTaken = (id: string, vmid: number) => boolean;

/** The numbers of the guests with each tag: as the cluster lists them, and as their nodes do by now. */
export type Tagged = ReadonlyMap<string, readonly number[]>;

/** Reads the tags of all guests: a request a node, shared by all who ask. */
export async function readTags(run: Run): Promise<Tagged> {
  const holders = new Map<string, number[]>();
  for (const { vmid, tags } of [...run.cluster.guests, ...(await run.nodeLists.all())])
    tags.forEach(tag => holders.set(tag, [...(holders.get(tag) ?? []), vmid]));
  return holders;
}

/** The ids of the owner's machines, by the tags of all guests. `left`: of these the marks were read, too. */
export function takenIds(tagged: Tagged, owner: string, left: readonly LeftAlone[]): IsTaken {
  const marks = left.filter(({ ofOwner }) => ofOwner === owner).map(({ ofMachine }) => ofMachine);
  return (id, vmid) =>
    marks.includes(id) || (tagged.get(ownerTag(owner, id)) ?? []).some(each => each !== vmid);
}

/** The guests' ids in the program, by vmid: valid, and each of its own. */
export function callAll(guests: readonly Nameless[], isTaken: IsTaken): Map<number, Called> {
  const given = new Set(guests.flatMap(({ marked }) => marked?.toLowerCase() ?? []));
  const names = new Set<string>();
  return new Map(
    guests.map(guest => {
      const { vmid, marked, name } = guest;
      const id = marked ?? freeId(guest, given, isTaken);
      // a name that two have cannot be wanted of both: it stays as it is
      const isFirst = name !== undefined && !names.has(name.toLowerCase());
      if (name !== undefined) names.add(name.toLowerCase());
      return [vmid, { id, ...(isFirst && name !== id ? { name } : {}) }] as const;
    }),
  );
}

function freeId({ vmid, wish: asked, name }: Nameless, given: Set<string>, isTaken: IsTaken): string {
  const wish = idOfName(asked) ?? idOfName(name) ?? numberedId(undefined, vmid);
  const isFree = !given.has(wish.toLowerCase()) && !isTaken(wish, vmid);
  let id = unlike(isFree ? wish : numberedId(wish, vmid), given);
  while (isTaken(id, vmid)) id = unlike(numberedId(wish, vmid), given);
  return id;
}
