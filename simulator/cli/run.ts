import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultWorld } from '../default-world/cluster';
import type { Simulator } from '../api/start';
import { startSimulator } from '../api/start';
import { newIdentity } from '../wire/certificate';
import { openForRoot } from './open-for-root';
import type { CliOptions } from './options';
import { readFaultsFile, readWorldFile } from './read-files';
import { keepState, readStateFile, writeWhole } from './state-file';

/** Starts what the options ask for, says how to reach it, and resolves with what ends it cleanly. */
export async function run(options: CliOptions): Promise<() => Promise<void>> {
  const { readyFile, state: statePath } = options;
  const kept = statePath === undefined ? undefined : readStateFile(statePath);
  const world = kept?.world ?? newWorld(options);
  const faults = options.faults === undefined ? [] : readFaultsFile(options.faults);
  // a line of an earlier run must not look like ours
  if (readyFile !== undefined) rmSync(readyFile, { force: true });
  const identity = kept?.identity ?? newIdentity(world.nodes.map(({ name }) => name));
  const login = openForRoot(world, options.password, options.seed);
  const simulator = await startSimulator(world, { ...options, identity, faults });
  if (kept) {
    simulator.sim.secret = kept.secret;
    simulator.sim.tasks.restore(kept.tasks);
  }
  const lastSave =
    statePath === undefined ? (): void => undefined : keepState(statePath, simulator, identity);
  const ca = writeCa(simulator, statePath);
  simulator.about.caFile = ca.path;
  const { url, fingerprint } = simulator;
  const line = `${JSON.stringify({ url, caFile: ca.path, fingerprint, ...login, pid: process.pid })}\n`;
  if (readyFile !== undefined) writeWhole(readyFile, line);
  process.stdout.write(line);
  return async () => {
    await simulator.close();
    lastSave();
    ca.remove();
  };
}

function newWorld({ world, nodes, guests }: CliOptions): ReturnType<typeof defaultWorld> {
  return world === undefined ? defaultWorld(nodes, guests) : readWorldFile(world);
}

/** Writes the authority's certificate beside the state, else into a folder of its own that goes with the process. */
function writeCa({ ca }: Simulator, statePath: string | undefined): { path: string; remove(): void } {
  if (statePath !== undefined) {
    const path = `${statePath}.ca.pem`;
    writeFileSync(path, ca);
    return { path, remove: () => undefined };
  }
  const folder = mkdtempSync(join(tmpdir(), 'pve-simulator-'));
  const path = join(folder, 'pve-root-ca.pem');
  writeFileSync(path, ca);
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
