import type { Difference, Losses, SnapshotStep } from '../../spec';
import { isDear, namesOf } from '../guest/losses';
import type { About } from './about';

/** What a plan may do to a machine, worst first: what `--fail-on` may name. */
export const PLANNED = [
  'destroy',
  'rebuild',
  'refused',
  'unreached',
  'unread',
  'forget',
  'restart',
  'stop',
  'waits',
  'unknown',
  'change',
  'adopt',
  'create',
  'observed',
  'unplanned',
] as const;

/** What becomes of a machine, worst first. `wanted`: read from a stack's folder, where nothing is planned yet. */
export const VERDICTS = [...PLANNED, 'wanted', 'unchanged'] as const;
export type ReviewVerdict = (typeof VERDICTS)[number];

export type FieldChange = Difference['changes'][number];

/** What becomes of a snapshot. `byEntry`: its own registry entry in Terraform does it. */
export type ReviewedSnapshot = SnapshotStep & { byEntry?: true };

/** One machine, as a review shows it. Texts come from users and from Proxmox: escape them. */
export interface ReviewedMachine {
  id: string;
  cluster: string;
  /** The address of the Terraform module that it is in; empty where it is in none. */
  module: string;
  /** Its name in Proxmox. */
  name: string;
  verdict: ReviewVerdict;
  vmid: string | undefined;
  /** The node that it is on, and will be on; undefined: there is none, or it is not known. */
  before: string | undefined;
  after: string | undefined;
  /** What apply does, in words. */
  does: string[];
  /** The disks that it has now, in bytes by their names; undefined: there are none, or they are not known. */
  disks: Readonly<Record<string, number>> | undefined;
  /** All that is lost for good of it, as far as it was told; undefined: nothing, or it is not known. */
  losses: Losses | undefined;
  /** It may stand, and what becomes of it is known only when the plan is applied. */
  mayLose?: boolean;
  /** What becomes of its snapshots, those that go first. Of one that is destroyed those that its losses do not name. */
  snapshots: ReviewedSnapshot[];
  changes: FieldChange[];
  /** Written in Proxmox, and waiting for a restart. */
  waiting: FieldChange[];
  /** Why, and what is not known: whole sentences. */
  notes: string[];
}

/** What a plan, or a stack's folder, does to machines. Plain data. */
export interface Review {
  version: 1;
  /** `folder`: what is wanted, without looking at Proxmox. */
  of: 'plan' | 'folder';
  about: About;
  machines: ReviewedMachine[];
  totals: Partial<Record<ReviewVerdict, number>>;
  lost: Lost;
  warnings: string[];
}

/** What is lost for good: with machines that are destroyed or made anew, and of those that stay. */
interface Lost {
  bytes: number;
  /** Machines among them whose disks are not known. */
  unknown: number;
  volumes: number;
  snapshots: number;
}

/** Whether a machine loses its disks. */
export function losesDisks({ verdict }: Pick<ReviewedMachine, 'verdict'>): boolean {
  return verdict === 'destroy' || verdict === 'rebuild';
}

/** A review of these machines, the worst first. */
export function reviewOf(
  of: Review['of'],
  about: About,
  machines: ReviewedMachine[],
  warnings: string[],
): Review {
  const rank = ({ verdict, module, cluster, id }: ReviewedMachine): string =>
    `${String(VERDICTS.indexOf(verdict)).padStart(2, '0')} ${module} ${cluster} ${id}`;
  const sorted = [...machines].sort((one, other) => (rank(one) < rank(other) ? -1 : 1));
  const counted = VERDICTS.map(
    kind => [kind, machines.filter(({ verdict }) => verdict === kind).length] as const,
  );
  return {
    version: 1,
    of,
    about,
    machines: sorted,
    totals: Object.fromEntries(counted.filter(([, count]) => count > 0)),
    lost: lostBy(machines),
    warnings,
  };
}

/** What a machine loses for good; undefined: nothing, or nobody told. */
export function lossesOf({ verdict, losses, disks }: ReviewedMachine): Losses | undefined {
  if (losses !== undefined || !losesDisks({ verdict }) || disks === undefined) return losses;
  // an observer of an earlier release told no more
  const volumes = Object.entries(disks).map(([disk, bytes]) => ({
    ...{ slot: disk, disk, bytes, volume: '', kind: 'disk' as const },
  }));
  return { volumes, snapshots: [] };
}

/** Whether something of a machine is lost that cannot be had back, or may be, as far as anybody knows. */
export function losesAnything(machine: ReviewedMachine): boolean {
  if (losesDisks(machine) || machine.mayLose) return true;
  const losses = lossesOf(machine);
  const isNamed = losses !== undefined && namesOf(losses).length > 0;
  return isNamed || machine.snapshots.some(({ does }) => does !== 'take');
}

function lostBy(machines: ReviewedMachine[]): Lost {
  const losses = machines.flatMap(machine => lossesOf(machine) ?? []);
  const volumes = losses.flatMap(each => each.volumes.filter(isDear));
  return {
    bytes: volumes.reduce((sum, { bytes = 0 }) => sum + bytes, 0),
    unknown: machines.filter(machine => losesDisks(machine) && lossesOf(machine) === undefined).length,
    volumes: volumes.length,
    snapshots: machines.reduce((sum, machine) => sum + lostSnapshots(machine), 0),
  };
}

/** Also where its losses are not known: the plan itself names the snapshots whose entries go. */
function lostSnapshots(machine: ReviewedMachine): number {
  const deleted = machine.snapshots.filter(({ does }) => does === 'delete');
  const all = [...(lossesOf(machine)?.snapshots ?? []), ...deleted];
  return new Set(all.map(({ name }) => name)).size;
}
