import type { DesiredState, MachineSpec } from '../../../spec';
import { asWord } from '../../guest/as-word';
import { idsOf } from '../../mark/identity';
import { ownerTag } from '../../mark/owner-tag';
import { moveCommand } from '../../observe/refused-guest';
import type { ListedGuest } from '../../observed';
import type { Orphan } from './orphans';

/** A machine that is wanted, which an orphan may be after an edit, and what both have. */
export interface Namesake {
  owner: string;
  machine: string;
  cluster: string;
  has: 'id' | 'number' | 'name';
}

/** Where an orphan is: its cluster, and the guests there. */
export interface Place {
  cluster: string;
  guests: readonly ListedGuest[];
  /** The run has ended: what was to come is made, though the guests are those of before. */
  hasRun?: boolean | undefined;
}

/**
 * All machines that are wanted by a daemon or a run, on all its clusters, by what stays of a machine when its cluster, its
 * namespace or its id is edited. Such an edit makes an orphan of the guest: nothing tells it from a machine that left, and
 * another one that came.
 */
export class Namesakes {
  private readonly byKey = new Map<string, Namesake[]>();

  constructor(states: readonly Pick<DesiredState, 'owner' | 'cluster' | 'machines'>[]) {
    for (const { owner, cluster, machines } of states)
      for (const spec of machines) this.add({ owner, machine: spec.id, cluster: cluster.name }, spec);
  }

  private add(wanted: Omit<Namesake, 'has'>, { vmid, ...spec }: MachineSpec): void {
    const keep = (has: Namesake['has'], key: string): void => {
      this.byKey.set(key, [...(this.byKey.get(key) ?? []), { ...wanted, has }]);
    };
    for (const id of idsOf(spec)) keep('id', idKey(id));
    // a number is one of its cluster
    if (vmid !== undefined) keep('number', numberKey(wanted.cluster, vmid));
    keep('name', nameKey(spec.name ?? spec.id));
  }

  /**
   * The likeliest first: one of its owner, then of its cluster. None for the template of an image: its id says what is in it,
   * and it is made again.
   */
  of({ owner, machine, vmid, isOfImage }: Orphan, { cluster, guests }: Place): Namesake[] {
    if (isOfImage) return [];
    const { name } = guests.find(guest => guest.vmid === vmid) ?? {};
    const keys = [idKey(machine), numberKey(cluster, vmid), ...(name === undefined ? [] : [nameKey(name)])];
    const found = keys.flatMap(key => this.byKey.get(key) ?? []);
    const distance = (one: Namesake): number => Number(one.owner !== owner) + Number(one.cluster !== cluster);
    const keyOf = (one: Namesake): string => [one.owner, one.machine, one.cluster].join('\n');
    const first = (one: Namesake): boolean => found.find(each => keyOf(each) === keyOf(one)) === one;
    return found.filter(first).sort((one, other) => distance(one) - distance(other));
  }
}

const idKey = (id: string): string => `id ${id}`;
const numberKey = (cluster: string, vmid: number): string => `number ${vmid} ${cluster}`;
/** Proxmox: names are those of hosts, and tell no capital letters. */
const nameKey = (name: string): string => `name ${name.toLowerCase()}`;

/** What an orphan may be. Undefined: none of the machines that are wanted. */
export function namesakeText(namesakes: readonly Namesake[]): string | undefined {
  if (namesakes.length === 0) return undefined;
  const each = namesakes
    .slice(0, MOST_TOLD)
    .map(({ owner, machine, has }) => `machine ${machine} of ${owner} is wanted and has its ${has}`);
  return `${each.join('; ')}: it may be this very machine after an edit.`;
}

const MOST_TOLD = 3;

/** Why an orphan is not pruned for them, and the ways out. Undefined: there is none of them. */
export function staysForNamesakes(
  orphan: Orphan,
  namesakes: readonly Namesake[],
  place: Place,
): string | undefined {
  const text = keptText(orphan, namesakes, place);
  return text && `${text} Where nobody wants this guest any more: pve-reconciler gc --yes --spec FILE.`;
}

/** What an orphan may be, and how it becomes that again. Undefined: none of the machines that are wanted. */
export function keptText(orphan: Orphan, namesakes: readonly Namesake[], place: Place): string | undefined {
  const text = namesakeText(namesakes);
  const ways = namesakes.slice(0, MOST_TOLD).map(one => otherWay(orphan, one, place));
  return text && `${text} Then set the edit back${ways.join('')}.`;
}

/** How the guest becomes the machine that is wanted. Between clusters nothing moves, and none becomes one that is there. */
function otherWay(orphan: Orphan, { owner, machine, cluster, has }: Namesake, here: Place): string {
  const isThere = here.guests.some(({ tags }) => tags.includes(ownerTag(owner, machine)));
  if (cluster !== here.cluster || isThere || here.hasRun) return '';
  if (owner === orphan.owner)
    return `, or give ${machine} formerIds: [${JSON.stringify(orphan.machine)}] before it is made`;
  if (has !== 'id') return '';
  return `, or move it: ${moveCommand(orphan, owner)} --cluster ${asWord(cluster, 'NAME')}`;
}
