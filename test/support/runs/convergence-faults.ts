import { bootAll } from '../cluster/boot-all';
import { writes } from '../cluster/end-state';
import { numbersBelow } from '../in-parallel';
import type { Json, Lab } from '../cluster/lab';
import { desired, errorsOf, lab } from '../cluster/lab';
import { ownAddresses, randomPair } from '../random/pair';
import { PAIR_FIELDS } from '../random/spec';
import { withWanted } from '../spec/with-field';

/** What went wrong with pairs of random specs, so many machines in one cluster; empty when all converged. */
export async function convergenceFaults(firstSeed: number, pairs: number): Promise<string[]> {
  const both = numbersBelow(pairs).map(index => randomPair(firstSeed + index));
  const cluster = await lab({ taskMs: 0, as: 'root' });
  const faults: string[] = [];
  try {
    for (const machines of [both.map(({ have }) => have), both.map(({ want }) => want)]) {
      faults.push(...(await runOf(cluster, machines)));
      bootAll(cluster);
    }
    return [
      ...faults,
      ...(await secondRunFaults(
        cluster,
        both.map(({ want }) => want),
      )),
    ];
  } finally {
    await cluster.close();
  }
}

/** A machine of two disks and a card that says nothing else. */
export const PLAIN: Json = {
  image: { blank: true },
  node: 'pve1',
  power: 'stopped',
  disks: [
    { name: 'root', size: '2Gi', storage: 'local-lvm' },
    { name: 'data', size: '1Gi', storage: 'local-lvm' },
  ],
  networks: [{ name: 'lan' }],
};

/** What went wrong with machines of which each changes one field: its plan names that field alone, and then nothing. */
export async function singleFieldFaults(): Promise<string[]> {
  const rows = PAIR_FIELDS.flatMap((row, seed) => {
    const start = { ...PLAIN, id: `m${seed}` };
    const [first, next = first] = row.values.map(value => ownAddresses(withWanted(start, row, value), seed));
    // a field of one value comes where it was not
    const have = row.values.length > 1 ? first : { ...row.base, ...start };
    return have && next ? [{ told: row.told ?? row.field, id: `m${seed}`, have, want: next }] : [];
  });
  const cluster = await lab({ taskMs: 0, as: 'root' });
  try {
    const faults = await runOf(
      cluster,
      rows.map(({ have }) => have),
    );
    cluster.events.length = 0;
    const wanted = rows.map(({ want }) => want);
    faults.push(...(await runOf(cluster, wanted)));
    for (const { id, told } of rows) {
      const named = firstPlan(cluster, id);
      const others = named.filter(field => !field.startsWith(told) && !told.startsWith(field));
      if (named.length === 0 || others.length > 0) faults.push(`${told}: the plan names ${named.join(', ')}`);
    }
    return [...faults, ...(await secondRunFaults(cluster, wanted))];
  } finally {
    await cluster.close();
  }
}

/** Brings these machines to what is wanted, in one run. Its errors. */
export async function runOf(cluster: Lab, machines: Json[]): Promise<string[]> {
  const endings = await cluster.run(desired(machines));
  return endings.flatMap(end => ('error' in end ? [`${end.machine}: ${String(end.error)}`] : []));
}

/** What a run writes or plans where nothing is left to do. */
export async function secondRunFaults(cluster: Lab, machines: Json[]): Promise<string[]> {
  cluster.simulator.ledger.reset();
  cluster.events.length = 0;
  const faults = errorsOf(await cluster.run(desired(machines)));
  faults.push(
    ...writes(cluster.simulator)
      .filter(line => !line.endsWith('/access/ticket'))
      .map(line => `written again: ${line}`),
  );
  for (const event of cluster.events) {
    if (event.kind === 'planned' && event.plan.changes.length > 0)
      faults.push(`planned again: ${event.machine} ${JSON.stringify(event.plan.changes)}`);
  }
  return faults;
}

function firstPlan({ events }: Lab, machine: string): string[] {
  const planned = events.find(event => event.kind === 'planned' && event.machine === machine);
  return planned?.kind === 'planned' ? planned.plan.changes.map(({ field }) => field) : [];
}
