import type { Seen, SeenHost } from './postgres-cluster-locks';

/** A cluster that nobody else took for so long is taken, however many we keep already. */
const LEFT_MS = 5_000;

/**
 * Which of these free clusters we try to take now. A host takes its share at once. More than that it takes only while no
 * other host that names the cluster keeps fewer. `freeForMs`: how long we have seen it free. Pure.
 */
export function toTake(
  seen: Seen,
  {
    named,
    free,
    freeForMs,
  }: { named: number; free: readonly string[]; freeForMs: (cluster: string) => number },
): string[] {
  const share = Math.floor(named / seen.hosts.length);
  const taken: string[] = [];
  for (const cluster of free) {
    const ours = keptByUs(seen) + taken.length;
    const isOurTurn = othersNaming(seen, cluster).every(({ keeps }) => keeps >= ours);
    if (ours < share || isOurTurn || freeForMs(cluster) >= LEFT_MS) taken.push(cluster);
  }
  return taken;
}

/**
 * Which of our clusters another host should have: one that names it, and keeps at least two fewer than we do. So one that
 * only we name stays, and 3 clusters of 2 hosts stay with them as 2 and 1. Pure.
 */
export function surplus(seen: Seen, ours: readonly string[]): string[] {
  const most = keptByUs(seen) - 2;
  return ours.filter(cluster => othersNaming(seen, cluster).some(({ keeps }) => keeps <= most));
}

function keptByUs({ hosts }: Seen): number {
  return hosts.find(({ isUs }) => isUs)?.keeps ?? 0;
}

function othersNaming({ hosts }: Seen, cluster: string): SeenHost[] {
  return hosts.filter(host => !host.isUs && host.names(cluster));
}
