import { setTimeout as sleep } from 'node:timers/promises';
import { ownerTag } from '../../../reconciler/mark/owner-tag';
import { applyEvent } from '../../../simulator/events/apply';
import type { WorldEvent } from '../../../simulator/events/event';
import { foreignWrites } from '../cluster/end-state';
import type { Lab, LabOptions } from '../cluster/lab';
import { eachUntilDone } from '../in-parallel';
import { halfWay, turnsOf } from '../turns';
import { inThisProcess } from './place-of-runs';
import type { Scenario } from './scenarios';
import { scenarios } from './scenarios';

/** Opens clusters of the scenario, and what one of them becomes when nothing comes between. */
export async function undisturbed(scenario: Scenario, { prepare, endOf } = inThisProcess) {
  const open = await prepare(scenario);
  const quiet = await open();
  expect(await quiet.bring(scenario.want)).toEqual([]);
  const wanted = endOf(quiet.simulator);
  await quiet.close();
  return { open, wanted };
}

/** What happens in the cluster, and passes. */
export interface PassingEvent {
  event: WorldEvent;
  /** What makes it pass, a moment later. */
  then?: WorldEvent;
  options?: LabOptions;
}

const MOMENT_MS = 200;
/** How much faster its clock runs where something takes long. */
export const SCALE = 30;
export const WRITES = 'somebody writes what is ours';
export const passing: Record<string, PassingEvent> = {
  'the quorum is lost and comes back': {
    event: { kind: 'quorum', quorate: false },
    then: { kind: 'quorum', quorate: true },
  },
  'its node goes down and comes back': {
    event: { kind: 'node', action: 'node-down', node: 'pve2' },
    then: { kind: 'node', action: 'node-up', node: 'pve2' },
  },
  'the API of its node goes away and comes back': {
    event: { kind: 'node', action: 'api-down', node: 'pve2' },
    then: { kind: 'node', action: 'api-up', node: 'pve2' },
  },
  'somebody holds its lock file for 15 s': {
    event: { kind: 'flock', vmid: 10_000, ms: 15_000 },
    options: { timeScale: SCALE, taskMs: 20 * SCALE },
  },
  'somebody locks it for a while': {
    event: { kind: 'lock', vmid: 10_000, lock: 'backup' },
    then: { kind: 'lock', vmid: 10_000, lock: '' },
  },
  [WRITES]: {
    event: {
      kind: 'edit',
      vmid: 10_000,
      set: { memory: '1234', tags: `theirs;${ownerTag('team/lab', 'web')}` },
      delete: [],
    },
  },
};

/** Runs once, and once more after what came between. False: it did not come. */
export async function runTwice(cluster: Lab, { want }: Scenario, { then }: PassingEvent): Promise<boolean> {
  let isOver = false;
  const heal = async (): Promise<boolean> => {
    while (!isOver && cluster.simulator.faults.list()[0]?.hits === 0) await sleep(5);
    const wasMet = cluster.simulator.faults.list()[0]?.hits !== 0;
    if (then) await sleep(MOMENT_MS);
    // a destroy that had begun before the lock is not held up by it
    const isGone = then?.kind === 'lock' && cluster.simulator.world.guests[then.vmid] === undefined;
    if (then && wasMet && !isGone) applyEvent(cluster.simulator.sim, then);
    return wasMet;
  };
  const healing = heal();
  await cluster.bring(want);
  isOver = true;
  const wasMet = await healing;
  cluster.simulator.faults.clear();
  expect(await cluster.bring(want)).toEqual([]);
  return wasMet;
}

/** PVE: a copy on a shared storage is not freed without a quorum: one that was lost then leaves a volume to nobody. */
const leavesCopies = (weather: string, scenario: string): boolean =>
  weather === 'the quorum is lost and comes back' && scenario === 'disk move';

/** An end state in which volumes that are alike count once. */
const withoutCopies = (end: unknown): unknown =>
  JSON.parse(JSON.stringify(end), (key, value: unknown) => {
    if (key !== 'volumes' || !Array.isArray(value)) return value;
    return [...new Set(value.map(each => JSON.stringify(each)))].map((text): unknown => JSON.parse(text));
  });

/**
 * The event passes at request 0, 1, 2 and so on: the next run ends as one ends that saw nothing of it. In the gate the
 * events take turns.
 */
export async function endsAlikeDespite(event: string, name: string, place = inThisProcess): Promise<void> {
  const scenario = scenarios[name]!;
  const { open, wanted } = await undisturbed(scenario, place);
  const names = Object.keys(passing);
  const ofTheGate = turnsOf(names.indexOf(event), names.length);
  const turns = place.stride === undefined ? ofTheGate : halfWay(place.stride);
  let met = 0;
  const passes = async (k: number): Promise<boolean> => {
    const cluster = await open(passing[event]!.options);
    const effect = { kind: 'event', event: passing[event]!.event } as const;
    cluster.simulator.faults.add({ path: '/**', after: k, count: 1, effect });
    const wasMet = await runTwice(cluster, scenario, passing[event]!);
    // nothing may be held any more when the end is looked at
    if (passing[event]!.event.kind === 'flock') await sleep(15_000 / SCALE);
    const end = place.endOf(cluster.simulator);
    expect({ k, end: leavesCopies(event, name) ? withoutCopies(end) : end }).toEqual({ k, end: wanted });
    expect(foreignWrites(cluster)).toEqual([]);
    await cluster.close();
    met += Number(wasMet);
    return !wasMet;
  };
  await eachUntilDone(place.inParallel ?? 6, passes, turns);
  expect(met).toBeGreaterThan(0);
}
