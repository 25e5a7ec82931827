import { setTimeout as pause } from 'node:timers/promises';
import { startSimulator } from '../api/start';
import { firstWorld } from '../cli/first-world';
import { openForRoot } from '../cli/open-for-root';
import { understand } from '../cli/read-files';
import { UsageError } from '../cli/usage-error';
import { readEndpoint } from '../record/server/endpoint';
import { readTrust } from '../record/server/trust';
import { rowOf } from '../record/shape';
import { ReadingOnly } from './reading-only';
import { credentialsInWorld, credentialsOf } from './credentials';
import { readScenarios } from './files';
import type { Send } from './held-target';
import { control, heldTarget } from './held-target';
import type { OfEndpoint, ReplayOptions } from './options';
import { parseReplay, REPLAY_USAGE } from './options';
import type { Played, Target } from './player';
import { play } from './player';
import { reportOf, Tally } from './report';
import { rootOf } from './root';
import { senderTo } from './send';
import type { Scenario } from './step';

type Player = (scenario: Scenario) => Promise<Played[]>;

/** `pve-simulator replay`: plays scenarios and says how the answers differ. Gives the exit code. */
export async function replay(words: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const options = parseReplay(words, env);
  if (!options) {
    process.stdout.write(REPLAY_USAGE);
    return 0;
  }
  const scenarios = readScenarios(options.files);
  const player = options.kind === 'world' ? worldPlayer(options) : await endpointPlayer(options, env);
  const tally = new Tally();
  for (const scenario of scenarios) {
    const played = await player(scenario);
    tally.add(played);
    process.stdout.write(reportOf(scenario, played));
  }
  process.stdout.write(tally.text());
  return tally.isRight ? 0 : 1;
}

/** Plays each scenario against a new simulator, whose clock moves as the scenario waits. */
function worldPlayer({ world: name, seed }: Extract<ReplayOptions, { kind: 'world' }>): Player {
  return async scenario => {
    const world = firstWorld({ world: name, nodes: 1, guests: 0 });
    const { user } = openForRoot(world, { seed, host: '127.0.0.1' });
    const simulator = await startSimulator(world, { seed, timeScale: 'held' });
    try {
      const send = senderTo(new URL(simulator.url), { ca: simulator.ca });
      return await play(heldTarget(simulator, send, credentialsInWorld(world, user)), scenario);
    } finally {
      await simulator.close();
    }
  };
}

/** Plays against a server that runs. What writes is sent to a simulator only. */
async function endpointPlayer(options: OfEndpoint, env: NodeJS.ProcessEnv): Promise<Player> {
  const server = readEndpoint(options.endpoint);
  const sendTo = senderTo(server, readTrust(options, env));
  const logins = options.logins === undefined ? {} : understand(options.logins, rowOf);
  const credentials = credentialsOf(logins, rootOf(options, env));
  const base = `${server.origin}/api2/json`;
  const target: Target = {
    send: request => sendTo(base, request),
    credentials,
    sleep: ms => pause(ms),
    // as FORMAT.md says: the recordings do not have all lines
    comparesLogs: false,
  };
  if (!options.writes) return scenario => play({ ...target, caution: new ReadingOnly() }, scenario);
  await needSimulator(sendTo, server);
  return scenario =>
    play({ ...target, control: (action, node) => control(server.origin, sendTo, action, node) }, scenario);
}

/** A scenario may do anything, and whoever wrote it does not know this cluster. */
async function needSimulator(send: Send, { origin, host }: URL): Promise<void> {
  const { status, text } = await send(origin, { method: 'GET', path: '/_sim/health', headers: {} });
  if (status === 200 && /"ready"/.test(text)) return;
  throw new UsageError(
    `--writes is for a simulator, and ${host} does not answer as one: nothing was sent there. Remove --writes to read only`,
  );
}
