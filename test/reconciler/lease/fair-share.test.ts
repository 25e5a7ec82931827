import type { Seen } from '../../../reconciler/lease/postgres-cluster-locks';
import { surplus, toTake } from '../../../reconciler/lease/fair-share';

interface Host {
  names: string[];
  keeps: string[];
}

/** What PostgreSQL would say of these hosts to one of them. */
function seenBy(us: Host, hosts: readonly Host[]): Seen {
  return {
    keeperOf: cluster => {
      const keeper = hosts.find(({ keeps }) => keeps.includes(cluster));
      return keeper && { text: 'a host', isUs: keeper === us };
    },
    hosts: hosts.map(host => ({
      isUs: host === us,
      keeps: host.keeps.length,
      names: cluster => host.names.includes(cluster),
    })),
  };
}

const names = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `c${from + index}`);
const host = (named: string[], keeps: string[] = []): Host => ({ names: named, keeps });

const freeOf = (us: Host, hosts: readonly Host[]): string[] =>
  us.names.filter(name => !hosts.some(({ keeps }) => keeps.includes(name)));

/** Lets each host do what it may, in turn, until nobody does anything. Gives how many clusters changed hands. */
function settle(hosts: readonly Host[], freeMs = 0): number {
  let moves = 0;
  for (let quiet = 0; quiet < hosts.length;) {
    const before = moves;
    for (const us of hosts) {
      const free = freeOf(us, hosts);
      const seen = seenBy(us, hosts);
      const taken = toTake(seen, { named: us.names.length, free, freeForMs: () => freeMs });
      us.keeps.push(...taken);
      moves += taken.length;
      if (free.length > 0) continue;
      const [gone] = surplus(seenBy(us, hosts), us.keeps);
      if (gone === undefined) continue;
      us.keeps = us.keeps.filter(name => name !== gone);
      moves += 1;
    }
    quiet = moves === before ? quiet + 1 : 0;
    if (moves > 1_000) throw new Error('it never settles');
  }
  return moves;
}

const counts = (hosts: readonly Host[]): number[] => hosts.map(({ keeps }) => keeps.length).sort();

test('one host takes all', () => {
  const hosts = [host(names(1, 5))];
  settle(hosts);
  expect(counts(hosts)).toEqual([5]);
});

test.each<[clusters: number, hosts: number, share: number[]]>([
  [3, 2, [1, 2]],
  [4, 3, [1, 1, 2]],
  [2, 4, [0, 0, 1, 1]],
  [8, 4, [2, 2, 2, 2]],
  [40, 3, [13, 13, 14]],
])('%i clusters on %i hosts, which come one after the other', (clusters, count, share) => {
  const hosts: Host[] = [];
  for (let n = 0; n < count; n += 1) {
    hosts.push(host(names(1, clusters)));
    settle(hosts);
  }
  expect(counts(hosts)).toEqual(share);
  expect(settle(hosts)).toBe(0);
});

test('what a lost host kept goes to the others in equal parts', () => {
  const hosts = [0, 10, 20, 30].map(from => host(names(1, 40), names(from + 1, from + 10)));
  hosts.pop();
  settle(hosts);
  expect(counts(hosts)).toEqual([13, 13, 14]);
});

test('a cluster that one host names stays with it, also where another host has nothing to do', () => {
  const hosts = [host(names(1, 3), names(1, 3)), host(['c9'], [])];
  settle(hosts);
  expect(hosts[0]?.keeps).toEqual(names(1, 3));
  expect(settle(hosts)).toBe(0);
});

test('a host above its share leaves a free cluster to one that keeps fewer, and takes it when that one does not', () => {
  const [one, other] = [host(names(1, 3), ['c1', 'c2']), host(names(1, 3))];
  const ask = (freeMs: number): string[] =>
    toTake(seenBy(one, [one, other]), { named: 3, free: ['c3'], freeForMs: () => freeMs });
  expect(ask(4_000)).toEqual([]);
  expect(ask(5_000)).toEqual(['c3']);
});

test('whatever hosts name, all is kept, it settles, and no two hosts that could share differ by two', () => {
  let seed = 7;
  const random = (most: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % most;
  };
  for (let round = 0; round < 300; round += 1) {
    const all = names(1, 1 + random(12));
    const hosts = Array.from({ length: 1 + random(5) }, () => host(all.filter(() => random(3) > 0)));
    settle(hosts, 5_000);
    const kept = hosts.flatMap(({ keeps }) => keeps);
    expect(kept.sort()).toEqual(
      all.filter(name => hosts.some(({ names: named }) => named.includes(name))).sort(),
    );
    for (const one of hosts)
      for (const other of hosts)
        for (const name of one.keeps)
          if (other.names.includes(name)) expect(one.keeps.length - other.keeps.length).toBeLessThan(2);
  }
});
