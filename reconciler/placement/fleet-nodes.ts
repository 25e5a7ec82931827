import type { FleetMachine, NodeSpec } from '../../spec';
import type { ListedGuest, ObservedCluster } from '../observed';
import { idsOf } from '../mark/identity';
import { ownerTag } from '../mark/owner-tag';
import type { PlacedMachine } from './placement-facts';

/** Who is placed together: all machines of one owner on one cluster. */
export interface PlacedTogether {
  owner: string;
  machines: readonly FleetMachine[];
  nodes?: readonly NodeSpec[] | undefined;
  /** The owner may want more machines of this cluster, as where Terraform asks for each of them alone. */
  isPart?: boolean;
}

/** The tags of all machines that their owner wants of a cluster, by the ids that they have or had. Undefined: they are not known. */
export function tagsOfAll({ owner, machines, isPart }: PlacedTogether): ReadonlySet<string> | undefined {
  if (owner === '' || isPart === true) return undefined;
  return new Set(machines.flatMap(machine => idsOf(machine).map(id => ownerTag(owner, id))));
}

/** The machines of a fleet, which of them are there, and the nodes that this run chose for the others. */
export class FleetNodes {
  private readonly machines: Map<string, FleetMachine>;
  private readonly chosen = new Map<string, string>();
  private readonly tags = new Map<string, string>();
  private index: { of: ObservedCluster; byTag: Map<string, ListedGuest> } | undefined;

  constructor(private readonly fleet: PlacedTogether) {
    this.machines = new Map(fleet.machines.map(machine => [machine.id, machine]));
  }

  /** The machines that are to be created, in the order in which they were given. */
  absent(cluster: ObservedCluster): FleetMachine[] {
    const taken = new Set(cluster.guests.map(({ vmid }) => vmid));
    return [...this.machines.values()]
      .filter(({ mode }) => mode === undefined || mode === 'reconcile')
      .filter(machine => this.guestOf(machine, cluster) === undefined)
      .filter(({ vmid }) => vmid === undefined || !taken.has(vmid));
  }

  nodeOf(id: string): string | undefined {
    return this.chosen.get(id);
  }

  /** A machine of the fleet, also one that is not there yet. */
  find(id: string): FleetMachine | undefined {
    return this.machines.get(id);
  }

  /** From now on the machine counts as one that goes to this node; without a node, to none. */
  keep(machine: FleetMachine, node: string | undefined): void {
    this.machines.set(machine.id, machine);
    if (node === undefined) this.chosen.delete(machine.id);
    else this.chosen.set(machine.id, node);
  }

  /** From now on nothing is known of the node of a machine that is not there. */
  forget(id: string): void {
    this.chosen.delete(id);
  }

  /** Every machine but these, where its node is known. */
  othersThan(ids: ReadonlySet<string>, cluster: ObservedCluster): PlacedMachine[] {
    return [...this.machines.values()].flatMap(machine => {
      if (ids.has(machine.id)) return [];
      const guest = this.guestOf(machine, cluster);
      const chosen = this.chosen.get(machine.id);
      const node = guest?.node ?? chosen;
      return node === undefined ? [] : [{ machine, node, guest, planned: chosen !== undefined }];
    });
  }

  /** By its tag in the listing: that costs no request. */
  private guestOf(machine: FleetMachine, cluster: ObservedCluster): ListedGuest | undefined {
    if (this.index?.of !== cluster) {
      const pairs = cluster.guests.flatMap(guest => guest.tags.map(tag => [tag, guest] as const));
      this.index = { of: cluster, byTag: new Map(pairs) };
    }
    const { byTag } = this.index;
    return idsOf(machine)
      .map(id => byTag.get(this.tagOf(id)))
      .find(guest => guest !== undefined);
  }

  private tagOf(id: string): string {
    const tag = this.tags.get(id) ?? ownerTag(this.fleet.owner, id);
    this.tags.set(id, tag);
    return tag;
  }
}
