// @ts-check
// A cluster for a measurement: the simulator in a process of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Starts a cluster whose tasks take a millisecond. Gives what a client needs, and how to end it. @param {string[]} args */
export async function startCluster(args = []) {
  const program = fileURLToPath(new URL('../dist/simulator.cjs', import.meta.url));
  const simulator = spawn(process.execPath, [program, '--task-ms', '1', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(simulator.stdout, 'data');
  const { url, caFile, tokenId, tokenSecret } = JSON.parse(String(line));
  const access = {
    PVE_ENDPOINT: url,
    PVE_CA_BUNDLE: caFile,
    PVE_TOKEN_ID: tokenId,
    PVE_TOKEN_SECRET: tokenSecret,
  };
  const end = async () => {
    simulator.kill();
    await once(simulator, 'exit');
  };
  return { access, end };
}
