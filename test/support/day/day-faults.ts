import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { brokenInvariants } from '../../../simulator/invariants/broken';
import { administratorOf } from '../cluster/administrator';
import { marked } from '../cluster/end-state';
import { desiredJson, type Json } from '../cluster/lab';
import { programAccess } from '../cluster/program-access';
import { startCluster, TOKEN } from '../cluster/start-cluster';
import { run } from '../processes/cli';
import { dice } from '../random/dice';
import { clusterIncidents } from './cluster-incidents';
import type { Day } from './day';
import { guestIncidents } from './guest-incidents';
import { dayMachines } from './machines';
import { Memory } from './memory';
import { Watch } from './watch';
import { watchedDaemon, type Line, type WatchedDaemon } from './watched-daemon';

const MINUTE_MS = 60_000;
const LOOK_MS = 10_000;
/** So long after the last incident all must be well: more than the longest pause of the daemon. */
const MOST_SETTLING_MINUTES = 20;

export interface DayOptions {
  seed: number;
  minutes: number;
  /** How many times as fast as the wall's the clocks of daemon and cluster run. */
  scale: number;
  /** Takes what happens, for people. */
  tell?: (text: string) => void;
  /** Takes the log of the daemon at the end. */
  keep?: (lines: readonly Line[]) => void;
}

/**
 * A daemon at work on a cluster in which something goes wrong each minute, for so many minutes of their clocks. What
 * comes back is what is wrong at the end; nothing: all machines are as specified.
 */
export async function dayFaults({
  seed,
  minutes,
  scale,
  tell = () => undefined,
  keep,
}: DayOptions): Promise<string[]> {
  const simulator = await startCluster({ taskMs: 2_000, timeScale: scale, seed });
  const folder = mkdtempSync(join(tmpdir(), 'day-'));
  const file = join(folder, 'desired.json');
  const secretFile = join(folder, 'secret');
  const writeTo = (place: string, text: string): void => {
    writeFileSync(`${place}.new`, text);
    renameSync(`${place}.new`, place);
  };
  const ask = administratorOf({ simulator });
  const day: Day = {
    simulator,
    // who asks while the API is away has done nothing
    administrator: (...asked) => ask(...asked).catch(() => false),
    roll: dice(seed),
    free: [],
    wanted: [],
    want: machines => {
      day.wanted = machines;
      writeTo(file, JSON.stringify(desiredJson(machines)));
    },
    writeSecret: secret => writeTo(secretFile, secret),
  };
  day.want(dayMachines);
  day.writeSecret(TOKEN.secret);
  const foreign = foreignGuests(day);
  const { PVE_TASK_POLL_INTERVAL: _, PVE_TOKEN_SECRET: __, ...access } = programAccess(simulator);
  const environment = { ...access, PVE_TOKEN_SECRET_FILE: secretFile };
  const daemon = watchedDaemon(['--spec', file, '--prune'], environment, scale);
  const watch = new Watch(daemon, tell);
  const memory = new Memory(daemon);
  const incidents = Object.entries({ ...guestIncidents, ...clusterIncidents });
  try {
    let minute = 0;
    const isWell = (): boolean => watch.isAtPeace && day.wanted.every(machine => isThere(day, machine));
    const passes = async (isOver: () => boolean): Promise<void> => {
      // never shorter, however late this program is: an incident without its time would go unseen
      const until = Date.now() + MINUTE_MS / scale;
      while (Date.now() < until && !isOver()) {
        await sleep(LOOK_MS / scale);
        await watch.look(minute);
        watch.faults.push(...foreignWrites(day));
      }
      minute += 1;
      if (minute % 30 === 0) memory.note(await daemon.scrape());
      if (minute % 30 === 29) daemon.clearMemory();
    };
    const settle = async (): Promise<boolean> => {
      for (let left = MOST_SETTLING_MINUTES; left > 0 && !isWell(); left -= 1) await passes(isWell);
      return isWell();
    };
    if (!(await settle())) return ['the machines were not made', ...watch.open()];
    const end = minute + minutes;
    // of its own: which incident it is says nothing of whom it meets
    const roll = dice(seed + 7_919);
    while (minute < end && daemon.isAlive()) {
      day.free = day.wanted.map(({ id }) => String(id)).filter(id => !watch.concerns(id));
      const [name, incident] = incidents[roll(incidents.length)] ?? [];
      if (name && incident) await watch.begin(name, async () => incident(day), minute);
      await passes(() => false);
    }
    await watch.endAll();
    const isSettled = await settle();
    tell(watch.summary(minute));
    tell(memory.summary());
    return [
      ...(isSettled ? [] : [`not all is well ${MOST_SETTLING_MINUTES} minutes after the last incident`]),
      ...watch.faults,
      ...watch.open(),
      ...memory.faults(),
      ...(await endFaults(day, file, { ...programAccess(simulator), ...environment, PVE_TOKEN_SECRET: '' })),
      ...changedForeign(day, foreign),
      ...(await endsBadly(daemon)),
    ];
  } finally {
    await daemon.stop();
    keep?.(daemon.lines);
    await simulator.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function endsBadly(daemon: WatchedDaemon): Promise<string[]> {
  const code = await daemon.stop();
  const last = daemon.lines.slice(-3).map(line => JSON.stringify(line));
  return code === 0 ? [] : [`the daemon ended with ${String(code)}:`, ...last];
}

/** Whether a machine is there once, runs, and waits for nothing. */
function isThere({ simulator }: Day, { id }: Json): boolean {
  const guests = marked(simulator.world, String(id));
  return guests.length === 1 && guests[0]?.running !== null && guests[0]?.config['lock'] === undefined;
}

async function endFaults(day: Day, file: string, environment: Record<string, string>): Promise<string[]> {
  const { world, sim } = day.simulator;
  const { code, stdout, stderr } = await run(['plan', '--check', '--spec', file], environment);
  const count = day.wanted
    .map(({ id }) => [id, marked(world, String(id)).length])
    .filter(([, many]) => many !== 1);
  const strays = world.volumes.filter(({ vmid }) => vmid !== undefined && !world.guests[vmid]);
  return [
    ...(code === 0 ? [] : [`plan --check ends with ${code}: ${stdout}${stderr}`]),
    ...count.map(([id, many]) => `${String(id)} is there ${String(many)} times`),
    ...strays.map(({ volid }) => `nobody has ${volid}`),
    ...brokenInvariants(sim),
    ...sim.defects.all().map(defect => JSON.stringify(defect)),
  ];
}

const isOurs = ({ config }: { config: Record<string, string> }): boolean =>
  config['description']?.includes('<!-- pvr:') === true;

/** What everybody else's guests are: nothing of it may change. */
function foreignGuests({ simulator }: Day): Map<number, string> {
  const others = Object.values(simulator.world.guests).filter(guest => !isOurs(guest));
  return new Map(others.map(({ vmid, config, node }) => [vmid, JSON.stringify([node, config])]));
}

function changedForeign({ simulator }: Day, before: Map<number, string>): string[] {
  return [...before].flatMap(([vmid, was]) => {
    const guest = simulator.world.guests[vmid];
    return guest && JSON.stringify([guest.node, guest.config]) === was
      ? []
      : [`foreign guest ${vmid} has changed`];
  });
}

/** Writes of the daemon to guests that are not ours, since the last look. A clone reads its source. */
function foreignWrites({ simulator: { ledger, world } }: Day): string[] {
  const entries = ledger.entries();
  ledger.reset();
  return entries.flatMap(({ method, path, user }) => {
    const vmid = Number(/\/(?:qemu|lxc)\/(\d+)/.exec(path)?.[1]);
    const guest = world.guests[vmid];
    if (method === 'GET' || user !== TOKEN.id || !guest || isOurs(guest) || path.endsWith('/clone'))
      return [];
    return [`${method} ${path} met a foreign guest`];
  });
}
