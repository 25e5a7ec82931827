import { writes } from './end-state';
import { numbersBelow } from './in-parallel';
import type { Json } from './lab';
import { desired, errorsOf, lab, labWorld } from './lab';
import { dice, randomSpec } from './random-spec';

const BASE: Json = {
  image: { blank: true },
  node: 'pve1',
  memory: '512Mi',
  disks: [
    { name: 'root', size: '2Gi', storage: 'local-lvm' },
    { name: 'data', size: '1Gi', storage: 'local-lvm' },
  ],
  networks: [{ name: 'lan' }],
};

/** What went wrong with pairs of random specs, so many machines in one cluster; empty when all converged. */
export async function convergenceFaults(firstSeed: number, pairs: number): Promise<string[]> {
  const cluster = await lab({ taskMs: 0, world: labWorld() });
  const [have, want] = [1, 2].map(turn => numbersBelow(pairs).map(index => specFor(firstSeed + index, turn)));
  const faults: string[] = [];
  try {
    for (const machines of [have, want]) {
      const endings = await cluster.run(desired(machines ?? []));
      faults.push(...endings.flatMap(e => ('error' in e ? [`${e.machine}: ${String(e.error)}`] : [])));
    }
    cluster.simulator.ledger.reset();
    cluster.events.length = 0;
    faults.push(...errorsOf(await cluster.run(desired(want ?? []))));
    faults.push(...writes(cluster.simulator).map(line => `written again: ${line}`));
    for (const event of cluster.events) {
      if (event.kind === 'planned' && event.plan.changes.length > 0)
        faults.push(`planned again: ${event.machine} ${JSON.stringify(event.plan.changes)}`);
    }
    return faults;
  } finally {
    await cluster.close();
  }
}

function specFor(seed: number, turn: number): Json {
  const power = ['running', 'stopped'][seed % 2];
  const restart = seed % 3 === 0 ? 'never' : 'whenNeeded';
  const spec = randomSpec(dice(seed * 2 + turn), {
    ...BASE,
    id: `m${seed}`,
    restart,
    power,
    shutdownTimeout: '1s',
  });
  return { ...ownAddresses(spec, seed), name: `m${seed}-${turn}` };
}

/** Addresses that no other machine has. */
function ownAddresses(spec: Json, seed: number): Json {
  const hex = (seed % 65_536).toString(16).padStart(4, '0');
  const text = JSON.stringify(spec)
    .replaceAll('192.0.2.', `10.${(seed >> 8) % 256}.${seed % 256}.`)
    .replaceAll('2001:db8::', `2001:db8:${hex}::`)
    .replaceAll('BC:24:11:00:00:', `BC:24:${hex.slice(0, 2)}:${hex.slice(2)}:00:`)
    .replaceAll('bc-24-11-00-00-', `bc-24-${hex.slice(0, 2)}-${hex.slice(2)}-00-`);
  return JSON.parse(text) as Json;
}
