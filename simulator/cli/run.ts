import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLoopback } from '../api/shown-url';
import type { Simulator } from '../api/start';
import { startSimulator } from '../api/start';
import { newIdentity } from '../wire/certificate';
import { checkPlace, notListening } from './cannot';
import { openForRoot } from './open-for-root';
import type { CliOptions } from './options';
import { readAdministratorsFile, readFaultsFile } from './read-files';
import { firstWorld } from './first-world';
import { keepState, readStateFile } from './state-file';
import { warn } from './warn';
import { writeWhole } from './write-whole';

/** Starts what the options ask for, says how to reach it, and resolves with what ends it cleanly. */
export async function run(options: CliOptions): Promise<() => Promise<void>> {
  const { readyFile, state: statePath } = options;
  if (statePath !== undefined) checkPlace('--state', statePath);
  if (readyFile !== undefined) checkPlace('--ready-file', readyFile);
  const kept = statePath === undefined ? undefined : readStateFile(statePath);
  const world = kept?.world ?? firstWorld(options);
  const faults = options.faults === undefined ? [] : readFaultsFile(options.faults);
  const administrators =
    options.administrators === undefined ? [] : readAdministratorsFile(options.administrators);
  // a line of an earlier run must not look like ours
  if (readyFile !== undefined) rmSync(readyFile, { force: true });
  const identity =
    kept?.identity ?? newIdentity([...world.nodes.map(({ name }) => name), ...namesOf(options)]);
  const login = openForRoot(world, options);
  const simulator = await startSimulator(world, { ...options, identity, faults, administrators }).catch(
    notListening(options),
  );
  if (!isLoopback(options.host)) warn(openTo(options.host));
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

/** What else the certificate vouches for: by these names others reach it. */
function namesOf({ host, allowedHosts }: CliOptions): string[] {
  return isIPv4(host) && !isLoopback(host) && host !== '0.0.0.0' ? [...allowedHosts, host] : allowedHosts;
}

const openTo = (host: string): string =>
  `it listens on ${host}: whoever reaches this machine there can read and change all of it, /_sim asks for no password. ` +
  "Root's token is random, unless the world brings one; without --password root's password is the usual one. Keep no secret in its world. " +
  'Without --host only this machine reaches it.';

/** Writes the authority's certificate beside the state, else into a folder of its own that goes with the process. */
function writeCa({ ca }: Simulator, statePath: string | undefined): { path: string; remove(): void } {
  if (statePath !== undefined) {
    const path = `${statePath}.ca.pem`;
    writeWhole(path, ca, 0o644);
    return { path, remove: () => undefined };
  }
  const folder = mkdtempSync(join(tmpdir(), 'pve-simulator-'));
  const path = join(folder, 'pve-root-ca.pem');
  writeFileSync(path, ca);
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
