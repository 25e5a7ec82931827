import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { buildSync } from 'esbuild';
import { sendRaw } from '../api/raw-client';

export interface Ended {
  code: number | null;
  output: string;
  errors: string;
}

export type Ready = Record<'url' | 'caFile' | 'fingerprint' | 'tokenId' | 'tokenSecret', string>;

/** `pve-simulator` as a program of its own, in a folder of its own, built when this is made. */
export class Program {
  readonly folder = mkdtempSync(join(tmpdir(), 'pve-simulator-test-'));
  private readonly path = join(this.folder, 'simulator.cjs');
  private readonly running: ChildProcess[] = [];

  constructor() {
    const entryPoints = [join(__dirname, '../../../simulator/cli.ts')];
    buildSync({ entryPoints, bundle: true, platform: 'node', outfile: this.path, logLevel: 'silent' });
  }

  file(name: string): string {
    return join(this.folder, name);
  }

  /** Runs it to its end. */
  run(args: string[], environment: NodeJS.ProcessEnv = {}): Promise<Ended> {
    return this.spawn(args, environment).ended;
  }

  /** Starts it, and resolves with the line that it prints when it listens. */
  async start(args: string[], environment: NodeJS.ProcessEnv = {}) {
    const { child, line, ended } = this.spawn(args, environment);
    const failed = ended.then(({ errors }) => Promise.reject(new Error(errors)));
    failed.catch(() => undefined);
    const ready: Ready = JSON.parse(await Promise.race([line, failed]));
    return { child, ended, ready };
  }

  /** Ends all that still runs, and removes the folder. */
  remove(): void {
    this.running.forEach(child => child.kill('SIGKILL'));
    rmSync(this.folder, { recursive: true, force: true });
  }

  private spawn(args: string[], environment: NodeJS.ProcessEnv) {
    const { PATH, TMPDIR } = process.env;
    const env = { PATH, ...(TMPDIR === undefined ? {} : { TMPDIR }), ...environment };
    const child = spawn(process.execPath, [this.path, ...args], {
      cwd: this.folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.running.push(child);
    let output = '';
    let errors = '';
    const line = new Promise<string>(resolve =>
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (output.includes('\n')) resolve(output.split('\n')[0] ?? '');
      }),
    );
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    const ended = new Promise<Ended>(resolve => child.on('close', code => resolve({ code, output, errors })));
    return { child, line, ended };
  }
}

/** Asks as a token, and gives what the answer holds. */
export async function ask(
  { url, tokenId, tokenSecret }: Pick<Ready, 'url' | 'tokenId' | 'tokenSecret'>,
  method: string,
  path: string,
  params: Record<string, string> = {},
): Promise<{ status: number; data: unknown }> {
  const body = new URLSearchParams(params).toString();
  const { status, text } = await sendRaw(`${url}/api2/json`, {
    method,
    path,
    headers: {
      authorization: `PVEAPIToken=${tokenId}=${tokenSecret}`,
      ...(body === '' ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(body === '' ? {} : { body }),
  });
  const json: { data?: unknown } = JSON.parse(text);
  return { status, data: json.data };
}

/** Waits for the end of the task that an answer names. */
export async function ended(ready: Parameters<typeof ask>[0], upid: unknown): Promise<void> {
  const path = `/nodes/${String(upid).split(':')[1]}/tasks/${encodeURIComponent(String(upid))}/status`;
  for (;;) {
    const { data } = await ask(ready, 'GET', path);
    if ((data as { status?: string } | undefined)?.status === 'stopped') return;
    await pause(50);
  }
}
