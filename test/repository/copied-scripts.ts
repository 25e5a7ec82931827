import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(__dirname, '..', '..');

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A process under way: `says` resolves when its output matches, and fails when it ended without. */
export interface Running {
  pid: number;
  says(pattern: RegExp): Promise<void>;
  kill(): void;
  ended: Promise<Outcome>;
}

/** Our scripts in a folder of their own, whose name holds a space, with one local package to install. */
export class SmallClone {
  private readonly started: ChildProcess[] = [];
  readonly folder = mkdtempSync(path.join(tmpdir(), "it's a clone "));

  constructor() {
    cpSync(path.join(root, 'scripts'), this.at('scripts'), { recursive: true });
    rmSync(this.at('scripts', 'build.mjs'), { force: true });
    const linked = { dependencies: { local: 'file:local' } };
    this.write('local/package.json', { name: 'local', version: '1.0.0' });
    this.write('package.json', { name: 'small', version: '1.0.0', ...linked });
    this.writeLock('1.0.0');
  }

  /** What `npm ci` installs; another version is another lock file. */
  writeLock(version: string): void {
    const packages = {
      '': { name: 'small', version, dependencies: { local: 'file:local' } },
      local: { version: '1.0.0' },
      'node_modules/local': { resolved: 'local', link: true },
    };
    this.write('package-lock.json', { name: 'small', version, lockfileVersion: 3, requires: true, packages });
  }

  at(...parts: string[]): string {
    return path.join(this.folder, ...parts);
  }

  write(name: string, content: unknown): void {
    mkdirSync(path.dirname(this.at(name)), { recursive: true });
    writeFileSync(this.at(name), typeof content === 'string' ? content : JSON.stringify(content));
  }

  writeProgram(name: string, content: string): void {
    this.write(name, content);
    chmodSync(this.at(name), 0o755);
  }

  /** Starts node on a script of the clone, or on a line of code that runs as a module in it. */
  start(args: string[], env: NodeJS.ProcessEnv = {}): Running {
    const child = spawn(process.execPath, args, { cwd: this.folder, env: { ...process.env, ...env } });
    this.started.push(child);
    const outcome: Outcome = { code: null, stdout: '', stderr: '' };
    child.stdout.on('data', text => (outcome.stdout += text));
    child.stderr.on('data', text => (outcome.stderr += text));
    const ended = new Promise<Outcome>(resolve => child.on('close', code => resolve({ ...outcome, code })));
    const says = (pattern: RegExp) =>
      new Promise<void>((resolve, reject) => {
        const look = () => pattern.test(outcome.stdout + outcome.stderr) && resolve();
        child.stdout.on('data', look);
        child.stderr.on('data', look);
        child.on('close', () => reject(new Error(`ended without saying ${pattern}: ${outcome.stderr}`)));
        look();
      });
    return { pid: child.pid!, says, kill: () => child.kill('SIGKILL'), ended };
  }

  run(args: string[], env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
    return this.start(args, env).ended;
  }

  /** Also ends what a failed test left running. */
  remove(): void {
    for (const child of this.started) child.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Arguments for node: a module given as text. */
export const inModule = (code: string): string[] => ['--input-type=module', '--eval', code];
