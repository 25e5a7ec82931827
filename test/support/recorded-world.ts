import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadWorld, startSimulator } from '../../simulator';
import { brokenInvariants } from '../../simulator/invariants';
import { sendRaw } from './raw-client';
import type { Target } from './recording-replay';

const TIME_SCALE = 20;
const PASSWORD = 'recorded';

/** A fresh simulator that holds the world of the recordings, as a target to replay against. */
export async function startRecordedWorld(seed: number) {
  const file = join(__dirname, '../contract/recordings/world.json');
  const json: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const world = loadWorld(json);
  const root = world.access.users['root@pam'];
  if (root) root.password = PASSWORD;
  const simulator = await startSimulator(world, { seed, timeScale: TIME_SCALE });
  const target: Target = {
    base: `${simulator.url}/api2/json`,
    user: 'root@pam',
    password: PASSWORD,
    world: json as Target['world'],
    timeScale: TIME_SCALE,
    control: (action, node) => control(simulator.url, action, node),
  };
  /** What must never be, whatever was asked: to be called when no request is under way. */
  const broken = (): string[] => [...brokenInvariants(simulator.sim), ...simulator.sim.defects.all()];
  return { target, broken, close: () => simulator.close() };
}

async function control(url: string, action: string, node: string): Promise<void> {
  const body = JSON.stringify({ action, node });
  const headers = { 'content-type': 'application/json' };
  const { status, text } = await sendRaw(url, { method: 'POST', path: '/_sim/node', headers, body });
  if (status !== 200) throw new Error(`${action} of ${node}: ${status} ${text}`);
}
