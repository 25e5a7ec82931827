import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Json } from './lab';
import { desiredJson } from './lab';

const root = path.resolve(__dirname, '..', '..');

/** A run of the reconciler as a process. `ended` gives its errors; undefined when it was killed. */
export interface OwnProcess {
  kill(): void;
  ended: Promise<string[] | undefined>;
}

/** Starts the reconciler as real processes, from one bundle that is made once. */
export class OwnProcesses {
  private readonly folder = mkdtempSync(path.join(tmpdir(), 'reconciler-'));
  private readonly bundle = path.join(this.folder, 'runner.cjs');
  private readonly children = new Set<ChildProcess>();

  constructor() {
    const esbuild = path.join(root, 'node_modules', '.bin', 'esbuild');
    const entry = path.join(__dirname, 'runner.ts');
    const how = ['--bundle', '--platform=node', '--target=node20', '--log-level=error'];
    execFileSync(esbuild, [entry, ...how, `--outfile=${this.bundle}`]);
  }

  /** Brings the machines to what is wanted; without any, destroys `web`. */
  start({ url, ca }: { url: string; ca: string }, machines: Json[]): OwnProcess {
    const work = {
      url,
      ca,
      state: desiredJson(machines),
      ...(machines.length > 0 ? {} : { destroy: 'web' }),
    };
    const child = spawn(process.execPath, [this.bundle, JSON.stringify(work)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.children.add(child);
    let said = '';
    child.stdout.on('data', text => (said += text));
    const ended = new Promise<string[] | undefined>(resolve =>
      child.on('close', (_, signal) => {
        this.children.delete(child);
        resolve(signal === null ? (JSON.parse(said || '["said nothing"]') as string[]) : undefined);
      }),
    );
    return { kill: () => child.kill('SIGKILL'), ended };
  }

  /** Also ends what a failed test left running. */
  remove(): void {
    for (const child of this.children) child.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }
}
