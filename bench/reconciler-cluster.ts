import { spawn } from 'node:child_process';
import { labWorld } from '../test/support/cluster/lab';
import { TOKEN, startCluster } from '../test/support/cluster/start-cluster';
import { sendRaw } from '../test/support/api/raw-client';

export type Json = Record<string, unknown>;

interface Ready {
  url: string;
  ca: string;
}

interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A simulated cluster in a process of its own, and the reconciler as processes that reach it. */
export interface BenchCluster {
  /** Runs one verb of the product to its end and gives its stdout; throws when it fails. */
  run(args: string[], env?: Record<string, string>, input?: string): Promise<string>;
  /** `METHOD /path` of each request since the last call. */
  requests(): Promise<string[]>;
  ready: Ready;
  close(): void;
}

/** The process of the cluster: its tasks take so long; its guests boot at once, so that they obey a shutdown. */
export async function serveCluster(taskMs: number): Promise<void> {
  const world = labWorld();
  for (const guest of Object.values(world.guests)) guest.system.bootMs = 0;
  const { url, ca } = await startCluster({ world, taskMs });
  console.log(JSON.stringify({ url, ca }));
}

/** Starts a cluster as a process: this program, asked to serve one. */
export async function benchCluster(taskMs: number): Promise<BenchCluster> {
  const self = process.argv[1] ?? '';
  const child = spawn(process.execPath, [self, 'cluster', String(taskMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ready = await new Promise<Ready>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', code => reject(new Error(`the cluster ended with ${code}`)));
    child.stdout.once('data', (line: Buffer) => resolve(JSON.parse(line.toString())));
  });
  const access = {
    PATH: process.env['PATH'] ?? '',
    PVE_ENDPOINT: ready.url,
    PVE_CA_BUNDLE: ready.ca,
    PVE_TOKEN_ID: TOKEN.id,
    PVE_TOKEN_SECRET: TOKEN.secret,
  };
  return {
    ready,
    run: async (verb, env = {}, input = '') => {
      const { code, stdout, stderr } = await runProduct(verb, { ...access, ...env }, input);
      if (code !== 0) throw new Error(`${verb.join(' ')} ended with ${code}: ${stderr}`);
      return stdout;
    },
    requests: async () => {
      const { text } = await sendRaw(ready.url, { method: 'GET', path: '/_sim/ledger', headers: {} });
      await sendRaw(ready.url, { method: 'DELETE', path: '/_sim/ledger', headers: {} });
      const { requests } = JSON.parse(text) as { requests: { method: string; path: string }[] };
      return requests.map(({ method, path }) => `${method} ${path}`);
    },
    close: () => void child.kill('SIGTERM'),
  };
}

function runProduct(args: string[], env: Record<string, string>, input: string): Promise<Ran> {
  const child = spawn(process.execPath, ['dist/reconciler.cjs', ...args], { env });
  const ran: Ran = { code: null, stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (ran.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (ran.stderr += chunk.toString()));
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.on('close', code => resolve({ ...ran, code }));
  });
}

/** The requests that do work for a machine: without polls, and without what each process reads once. */
export function callsOf(requests: string[]): string[] {
  const once =
    /^GET \/(cluster\/(resources|status|options)|access\/permissions|version|nodes\/[^/]+\/(storage|network|qemu|tasks))$/;
  return requests.filter(line => !once.test(line) && !/^GET .*\/tasks\//.test(line));
}
