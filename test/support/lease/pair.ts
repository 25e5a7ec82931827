import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { programAccess } from '../cluster/program-access';
import { ADMINISTRATOR, startCluster, TOKEN, type ClusterOptions } from '../cluster/start-cluster';
import { desiredText, start, type Running } from '../processes/cli';
import { cableTo, type Cable } from './cable';

/** How a host is lost, and how it comes back. */
export const LOSSES = {
  killed: {
    lose: ({ running }) => void running.child.kill('SIGKILL'),
    back: host => {
      host.running = host.begin();
    },
  },
  stopped: {
    lose: ({ running }) => void running.child.kill('SIGSTOP'),
    back: ({ running }) => void running.child.kill('SIGCONT'),
  },
  'cut off': { lose: ({ cable }) => cable.cut(), back: ({ cable }) => cable.mend() },
} satisfies Record<string, { lose: (host: Host) => void; back: (host: Host) => void }>;

export interface Host {
  /** The token by which the ledger of the cluster knows it. */
  token: string;
  cable: Cable;
  running: Running;
  begin: () => Running;
}

const SETTINGS = {
  RECONCILE_INTERVAL: '500ms',
  METRICS_BIND_ADDRESS: '0',
  HEALTH_PROBE_BIND_ADDRESS: '0',
  STATUS_BIND_ADDRESS: '0',
};
const NAMES = ['web', 'db', 'cache', 'queue'];

/** Two hosts that keep the same machines of a simulated cluster, each with a cable of its own to what they take turns by. */
export async function pairOfHosts(
  port: number,
  argsWith: (port: number) => { args: string[]; env?: Record<string, string> },
  options: ClusterOptions = {},
) {
  const simulator = await startCluster({ taskMs: 100, ...options });
  const folder = mkdtempSync(path.join(tmpdir(), 'pair-'));
  const file = path.join(folder, 'desired.json');
  let tag = 0;
  /** Asks for a change of each machine. */
  const change = (): string => {
    tag += 1;
    const machines = NAMES.map(id => ({ id, image: { blank: true }, node: 'pve1', tags: [`t${tag}`] }));
    writeFileSync(`${file}.new`, desiredText(machines));
    renameSync(`${file}.new`, file);
    return `t${tag}`;
  };
  change();
  const hostOf = async (token: { id: string; secret: string }): Promise<Host> => {
    const cable = await cableTo(port);
    const { args, env } = argsWith(cable.port);
    const access = { ...programAccess(simulator), PVE_TOKEN_ID: token.id, PVE_TOKEN_SECRET: token.secret };
    const begin = (): Running => start(['run', '--spec', file, ...args], { ...access, ...SETTINGS, ...env });
    return { token: token.id, cable, begin, running: begin() };
  };
  const hosts = [await hostOf(TOKEN), await hostOf(ADMINISTRATOR)];
  const writes = () => simulator.ledger.entries().filter(({ write }) => write);
  return {
    simulator,
    hosts,
    change,
    writes,
    /** The host that wrote last. */
    atWork: (): Host | undefined => hosts.find(({ token }) => token === writes().at(-1)?.user),
    /** Whether all machines have this tag. */
    have: (wanted: string): boolean =>
      NAMES.every(name => {
        const guests = Object.values(simulator.world.guests).filter(({ config }) => config['name'] === name);
        return guests.length === 1 && String(guests[0]?.config['tags']).split(';').includes(wanted);
      }),
    close: async (): Promise<void> => {
      for (const { running } of hosts) {
        running.child.kill('SIGCONT');
        running.child.kill('SIGTERM');
      }
      const ended = Promise.all(hosts.map(({ running }) => running.ended));
      const late = setTimeout(() => hosts.forEach(({ running }) => running.child.kill('SIGKILL')), 20_000);
      await ended;
      clearTimeout(late);
      await Promise.all(hosts.map(({ cable }) => cable.close()));
      await simulator.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type PairOfHosts = Awaited<ReturnType<typeof pairOfHosts>>;

/** Loses the host at work in the midst of its work. Gives how long it took until the other one wrote, and what each wrote since. */
export async function takeOver(pair: PairOfHosts, loss: keyof typeof LOSSES) {
  const { simulator, change, have } = pair;
  await until(() => pair.atWork() !== undefined, 'nobody works');
  const first = change();
  await until(() => have(first), `nobody brings ${first}`);
  const old = pair.atWork();
  if (old === undefined) throw new Error('nobody works');
  const next = pair.hosts.find(host => host !== old);
  const from = simulator.ledger.lastNumber();
  let wanted = change();
  // in the midst of it: with a write under way
  await until(() => pair.writes().some(({ n }) => n > from), 'nobody began');
  const since = performance.now();
  LOSSES[loss].lose(old);
  const lostAt = simulator.ledger.lastNumber();
  await until(() => {
    // where nothing is left to write, nobody sees who works
    if (have(wanted)) wanted = change();
    return pair.writes().some(({ n, user }) => n > from && user === next?.token);
  }, 'no takeover');
  const tookMs = performance.now() - since;
  LOSSES[loss].back(old);
  await until(() => have(wanted), `the other one does not bring ${wanted}`);
  const after = pair.writes().filter(({ n }) => n > lostAt);
  const firstOfNext = after.find(({ user }) => user === next?.token)?.n ?? Infinity;
  return {
    tookMs,
    /** What the old host wrote after the other one had begun. */
    doubled: after.filter(({ n, user }) => user === old.token && n > firstOfNext),
  };
}

/** What both said, to be read where something went wrong. */
export function told({ hosts }: PairOfHosts): string {
  return hosts.map(({ token, running }) => `${token}:\n${running.stderr().slice(-3_000)}`).join('\n');
}

async function until(isSo: () => boolean, otherwise: string): Promise<void> {
  const end = Date.now() + 60_000;
  while (!isSo()) {
    if (Date.now() > end) throw new Error(`after 60 s: ${otherwise}`);
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}
