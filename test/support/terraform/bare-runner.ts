import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { EngineRun } from './deployment';
import type { Engine } from './engines';

const root = path.resolve(__dirname, '..', '..', '..');

/** Why nothing can be traced here; undefined when it can. */
export function noTrace(): string | undefined {
  const { status } = spawnSync('strace', ['-f', '-o', '/dev/null', 'true']);
  return status === 0 ? undefined : 'strace is not here, or may not trace';
}

/** A machine that has node and an engine, and nothing of ours. Its providers come from a folder, as from a registry. */
export function bareRunner(engine: Engine, credentials: Record<string, string>) {
  const home = mkdtempSync(path.join(tmpdir(), 'bare runner '));
  const bin = path.join(home, 'bin');
  mkdirSync(bin);
  symlinkSync(process.execPath, path.join(bin, 'node'));
  cpSync(engine.path, path.join(bin, engine.name), { dereference: true });
  cpSync(path.join(root, '.engine', 'mirror'), path.join(home, 'mirror'), {
    recursive: true,
    dereference: true,
  });
  const trace = path.join(home, 'trace');
  return {
    /** A new empty folder. */
    folder: (name: string): string => path.join(home, name),
    /** Runs the engine with PATH and credentials as its whole environment. */
    run: (cwd: string, ...args: string[]): Promise<EngineRun> => {
      const traced = ['-f', '-A', '-s', '4096', '-e', 'trace=open,openat,execve', '-o', trace, engine.name];
      return new Promise(resolve => {
        execFile(
          'strace',
          [...traced, ...args, '-no-color'],
          { cwd, env: { ...credentials, PATH: `${bin}${path.delimiter}/usr/bin` }, maxBuffer: 1 << 28 },
          (error, stdout, stderr) =>
            resolve({
              code: typeof error?.code === 'number' ? error.code : error ? 1 : 0,
              text: `${stdout}${stderr}`,
            }),
        );
      });
    },
    /** Says where the providers are. */
    mirror: `-plugin-dir=${path.join(home, 'mirror')}`,
    /** The files that were opened or started, by all processes. */
    opened: (): string[] =>
      [...readFileSync(trace, 'utf8').matchAll(/(?:open|openat|execve)\((?:AT_FDCWD, )?"([^"]+)"/g)].map(
        ([, file = '']) => file,
      ),
    /** The files of the repository among them. */
    ofRepository: (files: readonly string[]): string[] => files.filter(file => file.startsWith(`${root}/`)),
    close: (): void => rmSync(home, { recursive: true }),
  };
}
