import { mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError, parseOptions } from './cli-options';
import { defaultWorld, startSimulator } from './index';
import { readWorld } from './read-world';

async function main(): Promise<void> {
  const options = parseOptions(process.argv.slice(2));
  const world = options.world === undefined ? defaultWorld(options.nodes) : readWorld(options.world);
  const root = (world.access.users['root@pam'] ??= { enable: true, tokens: {} });
  root.password = options.password;
  const simulator = await startSimulator(world, options);
  const caFile = join(mkdtempSync(join(tmpdir(), 'pve-simulator-')), 'pve-root-ca.pem');
  writeFileSync(caFile, simulator.ca);
  const [tokenId = '', token] = Object.entries(root.tokens).find(([, { privsep }]) => !privsep) ?? [];
  const ready = {
    url: simulator.url,
    caFile,
    fingerprint: simulator.fingerprint,
    user: 'root@pam',
    password: options.password,
    tokenId: `root@pam!${tokenId}`,
    tokenSecret: token?.value ?? '',
    pid: process.pid,
  };
  const line = `${JSON.stringify(ready)}\n`;
  if (options.readyFile !== undefined) {
    writeFileSync(`${options.readyFile}.new`, line);
    renameSync(`${options.readyFile}.new`, options.readyFile);
  }
  process.stdout.write(line);
  const stop = (): void => void simulator.close().then(() => process.exit(0));
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

main().catch((error: unknown) => {
  const text = error instanceof Error ? error.message : String(error);
  process.stderr.write(`pve-simulator: ${text}\n`);
  process.exit(error instanceof UsageError ? 2 : 1);
});
