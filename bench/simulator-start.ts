// How long the simulator takes from its start to its first answer, as a process and as its image by chroot (root only), and what
// the image's root takes. The root is built by hand of this machine's node: see test/support/image-root.ts.
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildImageRoot } from '../test/support/image-root';

const TIMES = 9;
const PORT = 18_006;

/** Whether a request is answered, by whatever. */
const answers = (): Promise<boolean> =>
  new Promise(resolve => {
    request({ port: PORT, path: '/api2/json/version', rejectUnauthorized: false, agent: false }, answer => {
      answer.resume();
      resolve(true);
    })
      .on('error', () => resolve(false))
      .end();
  });

async function firstAnswer(program: string, args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const begun = performance.now();
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'ignore'] });
  while (!(await answers())) await new Promise(resolve => setTimeout(resolve, 2));
  const took = performance.now() - begun;
  child.kill();
  await new Promise(resolve => child.once('exit', resolve));
  return took;
}

async function measure(name: string, program: string, args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const all: number[] = [];
  for (let time = 0; time < TIMES; time += 1) all.push(await firstAnswer(program, args, env));
  const [least = 0, median = 0] = [Math.min(...all), all.sort((one, other) => one - other)[TIMES >> 1]];
  console.log(
    `${name}: first answer after ${median.toFixed(0)} ms (median of ${TIMES}; least ${least.toFixed(0)})`,
  );
}

async function main(): Promise<void> {
  const program = join(__dirname, '../simulator/dist/pve-simulator.cjs');
  const port = { PVE_SIM_PORT: String(PORT) };
  await measure('process', process.execPath, [program], { ...process.env, ...port });
  await measure('process, homelab', process.execPath, [program, '--world', 'homelab'], {
    ...process.env,
    ...port,
  });
  if (process.getuid?.() !== 0) return;
  const root = mkdtempSync(join(tmpdir(), 'simulator-image-'));
  chmodSync(root, 0o755);
  const image = buildImageRoot(root);
  const chroot = [`--userspec=${image.user}`, root, ...image.entrypoint];
  await measure('image by chroot', '/usr/sbin/chroot', chroot, { ...image.env, ...port });
  const size = (command: string) =>
    (Number(execFileSync('sh', ['-c', command, root], { encoding: 'utf8' })) / 1e6).toFixed(1);
  console.log(
    `image: ${size('tar -C "$0" -c . | wc -c')} MB, ${size('tar -C "$0" -c . | gzip -6 | wc -c')} MB to fetch`,
  );
  rmSync(root, { recursive: true });
}

void main();
