import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';

interface Ended {
  code: number | null;
  output: string;
  errors: string;
}

/** The line that it prints when it listens. */
export type Ready = Record<'url' | 'caFile' | 'fingerprint' | 'tokenId' | 'tokenSecret', string> &
  Record<string, string>;

export interface Started {
  ready: Ready;
  child: ChildProcess;
  ended: Promise<Ended>;
}

/** The simulator as a program of its own, built of the sources as they are, in a folder of its own. */
export class SimulatorProgram {
  private readonly running: ChildProcess[] = [];
  readonly folder = mkdtempSync(join(tmpdir(), 'simulator-cli-'));
  readonly path = this.file('simulator.cjs');

  constructor() {
    const entryPoints = [join(__dirname, '../../../simulator/cli.ts')];
    buildSync({ entryPoints, bundle: true, platform: 'node', outfile: this.path, logLevel: 'silent' });
  }

  file(name: string): string {
    return join(this.folder, name);
  }

  /** Runs it to its end. */
  run(args: string[], env: Record<string, string> = {}): Promise<Ended> {
    return this.start(args, env).ended;
  }

  /** Of the environment of the tests it gets nothing that it would read. */
  start(args: string[], env: Record<string, string> = {}) {
    const { PATH, TMPDIR } = process.env;
    const child = spawn(process.execPath, [this.path, ...args], {
      cwd: this.folder,
      env: { PATH, ...(TMPDIR === undefined ? {} : { TMPDIR }), ...env },
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

  /** Starts it, and waits until it listens. */
  async startReady(args: string[], env: Record<string, string> = {}): Promise<Started> {
    const { child, line, ended } = this.start(args, env);
    const failed = ended.then(({ errors }) => Promise.reject(new Error(errors)));
    failed.catch(() => undefined);
    return { child, ended, ready: JSON.parse(await Promise.race([line, failed])) };
  }

  endAll(): void {
    this.running.splice(0).forEach(child => child.kill('SIGKILL'));
  }

  /** Ends all that still runs, and removes the folder. */
  remove(): void {
    this.endAll();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
