import type { World } from '../../../simulator';
import type { LabOptions } from '../cluster/lab';
import { preparedWorld, scenarios, type Scenario } from './scenarios';

/** A pinned machine that is on another node, and whether HA cares for it. */
export interface Move extends Scenario {
  isHaManaged: boolean;
}

const DISKS = { 'local disks': 'local-lvm', 'shared disks': 'shared' } as const;
const POWERS = ['running', 'stopped'] as const;
const KEEPERS = { alone: false, 'by HA': true } as const;

/** Every way in which a pinned machine goes to its node. */
export const moves: Record<string, Move> = Object.fromEntries(
  Object.entries(DISKS).flatMap(([disks, storage]) =>
    POWERS.flatMap(power =>
      Object.entries(KEEPERS).map(([keeper, isHaManaged]) => [
        `${disks}, ${power}, ${keeper}`,
        { ...moveOf(storage, power), isHaManaged },
      ]),
    ),
  ),
);

function moveOf(storage: string, power: string): Scenario {
  const disks = [{ name: 'root', size: '8G', storage }];
  const have = { ...scenarios['create blank']!.want, node: 'pve2', disks, power };
  return { have, want: { ...have, node: 'pve3', pin: true, memory: '2Gi' } };
}

/** How much faster than the wall a cluster's clock runs, where HA takes its turns of five seconds. */
const HA_SPEED = 100;

/** A world in which the machine is on its old node, and HA has taken it over where it is to. */
export async function worldBefore(move: Move): Promise<World> {
  const world = await preparedWorld(move);
  if (move.isHaManaged) for (const vmid of Object.keys(world.guests)) adopt(world, Number(vmid));
  return world;
}

function adopt({ ha, guests }: World, vmid: number): void {
  const guest = guests[vmid];
  if (guest?.config['description']?.includes('<!-- pvr:') !== true) return;
  const sid = `vm:${vmid}`;
  const state = guest.running ? 'started' : 'stopped';
  ha.resources[sid] = { sid, state, settings: {} };
  ha.services[sid] = { state, node: guest.node, done: true, failures: 0 };
}

/** How the cluster of a move is started: with tasks of `taskMs` by the wall. */
export function paceOf({ isHaManaged }: Move, taskMs: number): LabOptions {
  const speed = isHaManaged ? HA_SPEED : 1;
  return { timeScale: speed, taskMs: taskMs * speed };
}
