import type { DesiredState, MachineSpec } from '../../../spec';
import { idsOf } from '../../mark/identity';
import { isOwnerTag } from '../../mark/owner-tag';
import { verdictOn, type Verdict } from '../../mark/verdict';
import { evidenceOf } from '../../observe/guest';
import { taggedAs } from '../../observe/tagged-guests';
import { isDown, type ListedGuest, type ObservedCluster } from '../../observed';
import { isOneLess, readConfig, type GuestAddress, type Pve } from '../../pve';

/** A guest whose mark names a machine that is wanted, and that another guest is. Nothing is done to it. */
export interface Double extends GuestAddress {
  owner: string;
  machine: string;
  /** The tag of ours that it has in place of the machine's. */
  tag: string;
  /** The guest that runs take for the machine. */
  other: GuestAddress;
}

/** A guest that has no tag of a machine which is wanted, and the machine that its proven mark names. */
export interface Marked {
  guest: ListedGuest;
  owner: string;
  machine: string;
}

type WantedIds = Pick<DesiredState, 'owner'> & { machines: readonly Pick<MachineSpec, 'id' | 'formerIds'>[] };

/**
 * The second guests of machines that are wanted. PVE: a rollback brings back the tag of an id that a guest had before, and
 * keeps its mark (behaviour.md §14.5); an earlier release then made the machine again. One request for each guest that has
 * the tag of such a machine, as that may be a copy by hand or another machine that was brought back; none where `marked`
 * names no machine that is wanted. Where nothing proves who has the tag, the marked guest is the machine itself.
 */
export async function findDoubles(
  pve: Pve,
  cluster: ObservedCluster,
  states: readonly WantedIds[],
  marked: readonly Marked[],
): Promise<Double[]> {
  const found = await Promise.all(marked.map(each => doubleOf(pve, cluster, states, each)));
  return found.flatMap(each => each ?? []);
}

async function doubleOf(
  pve: Pve,
  cluster: ObservedCluster,
  states: readonly WantedIds[],
  { guest, owner, machine }: Marked,
): Promise<Double | undefined> {
  const machines = states.flatMap(state => (state.owner === owner ? state.machines : []));
  const wanted =
    machines.find(({ id }) => id === machine) ?? machines.find(each => idsOf(each).includes(machine));
  if (wanted === undefined) return undefined;
  const identity = { owner, ids: idsOf(wanted) };
  const others = taggedAs(cluster.guests, identity).filter(
    ({ type, node }) => type === 'qemu' && !isDown(cluster, node),
  );
  const read = await Promise.all(
    others.map(async listed => {
      const config = await readConfig(pve, listed).catch(nothingOfOneLess);
      return config !== undefined && TAKEN.has(verdictOn(evidenceOf(config, identity), identity));
    }),
  );
  // of two such guests none is taken: each plan of the machine refuses both
  const [other, another] = others.filter((_, index) => read[index]);
  if (other === undefined || another !== undefined) return undefined;
  const { vmid, node } = guest;
  const tag = guest.tags.find(isOwnerTag) ?? '';
  return { owner, machine: wanted.id, vmid, node, tag, other: { vmid: other.vmid, node: other.node } };
}

/** What the guest with the tag is to the machine, where a run looks for no other. */
const TAKEN: ReadonlySet<Verdict> = new Set(['ours', 'unfinished', 'edited', 'edited-of-entry']);

/** It went or moved since it was listed, or is not to be seen: the next look reads it. */
function nothingOfOneLess(error: unknown): undefined {
  if (!isOneLess(error)) throw error;
}
