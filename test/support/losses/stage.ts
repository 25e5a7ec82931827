import type { Guest } from '../../../simulator/world';
import type { Json } from '../cluster/lab';
import { administratorOf, type Administrator } from '../cluster/administrator';
import type { CliLab } from '../processes/cli';
import type { Roll } from '../random/dice';
import { lineLab } from '../runs/line-lab';
import { markOf, ourGuests } from './standing';
import { lossWorld } from './world';

/** A cluster, what is wanted of it, and who holds which machine: what the moves of a campaign play on. */
export interface Stage {
  lab: CliLab;
  admin: Administrator;
  /** What the desired state wants, by the ids of machines. */
  want: Map<string, Json>;
  /** Machines that a Terraform state holds; people hold the others. */
  ofTerraform: ReadonlySet<string>;
  /** A number that no name of this stage has yet. */
  next: () => number;
}

export async function openStage(ofTerraform: Iterable<string>): Promise<Stage> {
  const lab = await lineLab({ world: lossWorld(), taskMs: 0, timeScale: 50 });
  let last = 0;
  return {
    lab,
    admin: administratorOf(lab),
    want: new Map(),
    ofTerraform: new Set(ofTerraform),
    next: () => (last += 1),
  };
}

/** One of them; undefined where there is none. */
export const one = <T>(roll: Roll, entries: readonly T[]): T | undefined =>
  entries[roll(entries.length || 1)];

/** Our guests on the stage. */
export const ours = ({ lab }: Stage): Guest[] => ourGuests(lab.world);

/** Foreign guests that are machines. */
export const theirs = ({ lab }: Stage): Guest[] =>
  Object.values(lab.world.guests).filter(guest => guest.type === 'qemu' && !markOf(guest));

export const at = ({ node, vmid }: Pick<Guest, 'node' | 'vmid'>): string => `/nodes/${node}/qemu/${vmid}`;
