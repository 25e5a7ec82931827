/**
 * How long it takes to place 500 machines on 32 nodes: `npx tsx bench/placement.ts [runs]`. Prints a table in Markdown.
 * Nothing is read: what is measured is the choice alone, as each process that places a fleet makes it.
 */
import { cpus, loadavg } from 'node:os';
import type { Newcomer } from '../reconciler/placement/layout';
import { byNode, type PlacementFacts } from '../reconciler/placement/placement-facts';
import { schedule } from '../reconciler/placement/schedule';
import { FleetMachine } from '../spec';
import { cluster } from '../test/support/reconciler/observed';

const RUNS = Number(process.argv[2] ?? 9);
const MACHINES = 500;
const GiB = 2 ** 30;
const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const NODES = numbers(32).map(index => `pve${String(index + 1).padStart(2, '0')}`);

/** Thirty guests on each node, bridges, storages, and a template on shared storage. */
function site(allowed: number, first: number): PlacementFacts {
  const [known] = cluster().nodes;
  if (!known) throw new Error('the cluster of the tests has no node');
  const storage = (name: string, shared: boolean) => ({
    ...{ name, type: shared ? 'nfs' : 'lvmthin', content: ['images'], shared, active: true },
    available: 10_000 * GiB,
  });
  const nodes = NODES.map(name => ({
    ...{ ...known, name, cpus: 64, memory: 512 * GiB, memoryUsed: 100 * GiB },
    ...{ bridges: ['vmbr0', 'vmbr1'], storages: [storage('local-lvm', false), storage('shared', true)] },
  }));
  const guests = NODES.flatMap((node, at) =>
    numbers(30).map(index => ({
      ...{ vmid: 100 + at * 30 + index, type: 'qemu' as const, node, name: `g${index}`, tags: ['old'] },
      ...{ template: false, power: 'running' as const, lock: undefined, pool: undefined },
      ...{ haManaged: false, memory: 4 * GiB },
    })),
  );
  return {
    ...{ cluster: cluster({ nodes, guests }), clusterSpec: { name: 'lab' }, preferred: [] },
    nodes: NODES.map((nodeName, at) => ({
      ...{ nodeName, maxVMs: at === 0 ? first : allowed, minFreeMemory: 8 * GiB },
    })),
    ...{ others: byNode([]), guests: byNode(guests) },
  };
}

const source = {
  ...{ vmid: 9000, type: 'qemu' as const, node: 'pve01', name: 'debian', tags: [], template: true },
  ...{ power: 'stopped' as const, lock: undefined, pool: undefined, haManaged: false, memory: 2 * GiB },
};
const config = { scsi0: 'shared:9000/base-9000-disk-0.qcow2,size=10G', ide2: 'shared:9000/c,media=cdrom' };

/** Clones in groups that are kept apart, or together, `size` machines in each; before them some that may go anywhere. */
function newcomers(size: number, free: number, side: 'affinity' | 'antiAffinity'): Newcomer[] {
  return numbers(MACHINES).map(index => {
    const app = index < free ? `free-${index}` : `app-${Math.floor((index - free) / size)}`;
    const rules = [{ key: 'app', operator: 'In', values: [app] }];
    const machine = FleetMachine.parse({
      ...{
        id: `m${1000 + index}`,
        labels: { app },
        memory: (1 + (index % 8)) * GiB,
        image: { template: 'debian' },
      },
      ...{ cpu: { cores: 4 }, disks: [{ name: 'data', size: '20G', storage: 'local-lvm' }] },
      ...{ networks: [{ name: 'lan' }], placement: { [side]: rules } },
    });
    return { machine, sources: { guests: [source], config }, among: NODES };
  });
}

/** `allowed`: guests on a node, the thirty that are there counted; `first`: on the first one. */
const CASES = [
  { what: 'groups of 10, room for all', size: 10, free: 0, allowed: 60, first: 60 },
  { what: 'groups of 32, and others that take the room of some', size: 32, free: 20, allowed: 46, first: 45 },
  {
    what: 'groups of 40 on 32 nodes, eight of each without a place',
    size: 40,
    free: 0,
    allowed: 60,
    first: 60,
  },
  {
    what: 'groups of 10 kept together',
    size: 10,
    free: 0,
    allowed: 60,
    first: 60,
    side: 'affinity' as const,
  },
  {
    what: '48 groups of 10 kept together, on nodes that take 16 machines',
    ...{ size: 10, free: 20, allowed: 46, first: 45, side: 'affinity' as const },
  },
];

console.log('| what | wall clock, least | median | processor, least | median | without a place |');
console.log('| --- | ---: | ---: | ---: | ---: | ---: |');
for (const { what, size, free, allowed, first, side = 'antiAffinity' } of CASES) {
  const facts = site(allowed, first);
  const machines = newcomers(size, free, side);
  const runs = numbers(RUNS).map(() => measured(() => schedule(machines, facts)));
  const left = [...schedule(machines, facts).values()].filter(choice => 'why' in choice).length;
  const figures = [runs.map(({ wall }) => wall), runs.map(({ processor }) => processor)].flatMap(
    leastAndMedian,
  );
  console.log(`| ${what} | ${figures.map(ms => `${ms.toFixed(0)} ms`).join(' | ')} | ${left} |`);
}
console.log(
  `\n${RUNS} runs, node ${process.versions.node}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(0)}`,
);

function measured(work: () => unknown): { wall: number; processor: number } {
  const begun = performance.now();
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return { wall: performance.now() - begun, processor: (user + system) / 1000 };
}

function leastAndMedian(times: readonly number[]): [number, number] {
  const sorted = [...times].sort((one, other) => one - other);
  return [sorted[0] ?? 0, sorted[Math.floor(sorted.length / 2)] ?? 0];
}
