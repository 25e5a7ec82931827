import type { DesiredState } from '../../../spec';
import { idsOf } from '../../mark/identity';
import { moveCommand } from '../../observe/refused-guest';
import type { Orphan } from './orphans';

/** A machine that is wanted. */
interface WantedMachine {
  owner: string;
  machine: string;
  cluster: string;
}

/** One that an orphan may be after an edit, and what both have. */
export type Namesake = WantedMachine & { has: 'id' | 'number' | 'name' };

/** An orphan, and the name of its guest. */
export type NamedOrphan = Orphan & { name?: string | undefined };

/**
 * All machines that are wanted by a daemon or a run, on all its clusters, by what stays of a machine when its cluster, its namespace or its id is
 * edited. Such an edit makes an orphan of the guest: nothing tells it from a machine that left, and another one that came.
 */
export class Namesakes {
  /** Former ids too. */
  private readonly byId = new Map<string, WantedMachine>();
  private readonly byName = new Map<string, WantedMachine>();
  /** A number is one of its cluster: those of another cluster are other guests. */
  private readonly byNumber = new Map<string, WantedMachine>();

  constructor(states: readonly Pick<DesiredState, 'owner' | 'cluster' | 'machines'>[]) {
    for (const { owner, cluster, machines } of states)
      for (const spec of machines) {
        const wanted = { owner, machine: spec.id, cluster: cluster.name };
        for (const id of idsOf(spec)) this.byId.set(id, wanted);
        this.byName.set(keyOf(spec.name ?? spec.id), wanted);
        if (spec.vmid !== undefined) this.byNumber.set(`${cluster.name} ${spec.vmid}`, wanted);
      }
  }

  /** Undefined: no machine that is wanted has its id, its number or its name. `cluster`: where the orphan is. */
  of({ machine, vmid, name }: NamedOrphan, cluster: string): Namesake | undefined {
    const byId = this.byId.get(machine);
    if (byId) return { ...byId, has: 'id' };
    const byNumber = this.byNumber.get(`${cluster} ${vmid}`);
    if (byNumber) return { ...byNumber, has: 'number' };
    const byName = name === undefined ? undefined : this.byName.get(keyOf(name));
    return byName && { ...byName, has: 'name' };
  }
}

/** Proxmox: names are those of hosts, and tell no capital letters. */
const keyOf = (name: string): string => name.toLowerCase();

/** What an orphan may be. */
export function namesakeText({ owner, machine, has }: Namesake): string {
  return `machine ${machine} of ${owner} is wanted and has its ${has}: it may be this very machine after an edit.`;
}

/** Why an orphan is not pruned for it, and the ways out. `cluster`: where the orphan is. */
export function staysForNamesake(orphan: Orphan, wanted: Namesake, cluster: string): string {
  return `${namesakeText(wanted)} Then set the edit back${otherWay(orphan, wanted, cluster)}. Where nobody wants this guest any more: pve-reconciler gc --yes --spec FILE.`;
}

/** How the guest becomes the machine that is wanted. Between clusters nothing moves. */
function otherWay(orphan: Orphan, { owner, machine, cluster, has }: Namesake, here: string): string {
  if (owner === orphan.owner) return `, or give ${machine} formerIds: [${JSON.stringify(orphan.machine)}]`;
  if (cluster !== here || has !== 'id') return '';
  return `, or move it: ${moveCommand(orphan, owner)}`;
}
