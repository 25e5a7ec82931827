import { differenceText } from '../../../reconciler/report/difference';
import type { MachinePlan } from '../../../reconciler/action';
import { bootAll } from '../cluster/boot-all';
import { marked } from '../cluster/end-state';
import { numbersBelow } from '../in-parallel';
import type { Json, Lab } from '../cluster/lab';
import { desired, lab } from '../cluster/lab';
import { randomPair } from '../random/pair';

/**
 * Machines that run and change, so many in one cluster, half of them allowed to restart: what their first plans said
 * of restarts, against the ledger. What differs; empty when every plan was kept.
 */
export async function restartFaults(firstSeed: number, pairs: number): Promise<string[]> {
  const both = numbersBelow(pairs).map(index =>
    randomPair(firstSeed + index, {
      power: 'running',
      restart: index % 2 === 0 ? 'whenNeeded' : 'never',
    }),
  );
  const cluster = await lab({ taskMs: 0, as: 'root' });
  try {
    await cluster.run(desired(both.map(({ have }) => have)));
    const made = stops(cluster);
    const faults = made.length === 0 ? [] : [`stopped once it was made: ${made.join(', ')}`];
    bootAll(cluster);
    edit(cluster);
    cluster.simulator.ledger.reset();
    cluster.events.length = 0;
    await cluster.run(desired(both.map(({ want }) => want)));
    const changed = both.flatMap(({ want, field }) =>
      faultsOf(want, cluster).map(fault => `${String(want['id'])} (${field}): ${fault}`),
    );
    return [...faults, ...changed];
  } finally {
    await cluster.close();
  }
}

/** Somebody changes every third guest by hand, in ways that wait for a restart. */
function edit({ world }: Lab): void {
  for (const { vmid, config, pending } of Object.values(world.guests)) {
    if (vmid % 3 !== 0) continue;
    if (vmid % 2 === 0) pending['cores'] = config['cores'] === '3' ? '5' : '3';
    else pending['scsi0'] = `${config['scsi0']},cache=writeback`;
  }
}

function faultsOf(want: Json, cluster: Lab): string[] {
  const spec = desired([want]).machines[0];
  const plans = plansOf(String(want['id']), cluster);
  const [first, last] = [plans[0], plans.at(-1)];
  const [guest] = marked(cluster.world, String(want['id']));
  if (!spec || !first || !last || !guest) return ['was not planned'];
  if (last.refusals.length > 0) return last.refusals.map(({ detail }) => detail);
  const have = { kind: 'present', guest: { mark: undefined }, unfinished: false } as never;
  const difference = differenceText(first, have);
  const said = difference === '' ? undefined : (JSON.parse(difference) as { restart?: string }).restart;
  const done = stops(cluster, String(guest.vmid)).length;
  const announced = [...first.changes, ...first.waiting].filter(({ effect }) => effect === 'restart');
  const unannounced = last.waiting.filter(({ field }) => !announced.some(change => change.field === field));
  return [
    ...(done === (said === 'now' ? 1 : 0)
      ? []
      : [`restart ${said ?? 'none'}, ${done} done: ${shown(first)}`]),
    ...unannounced.map(({ field }) => `${field} waits, and was not announced: ${shown(first)}`),
    ...(said === 'later' && last.waiting.length === 0
      ? [`nothing waits, and it said so: ${shown(first)}`]
      : []),
    ...(guest.running === null ? ['is off'] : []),
  ];
}

function plansOf(machine: string, { events }: Lab): MachinePlan[] {
  return events.flatMap(event => (event.kind === 'planned' && event.machine === machine ? [event.plan] : []));
}

function stops({ simulator }: Lab, vmid = '\\d+'): string[] {
  const path = new RegExp(`/qemu/${vmid}/status/(?:shutdown|stop|reboot|reset)$`);
  const entries = simulator.ledger
    .entries()
    .filter(entry => entry.method === 'POST' && path.test(entry.path));
  return entries.map(entry => entry.path);
}

function shown({ changes }: MachinePlan): string {
  return changes
    .map(({ field, from, to, effect }) => `${field} ${from ?? ''}->${to ?? ''} (${effect})`)
    .join(', ');
}
