import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../free-ports';

/** Where Debian puts the programs of its versions. */
const VERSIONS = '/usr/lib/postgresql';

function programs(): string | undefined {
  if (spawnSync('initdb', ['--version']).status === 0 && spawnSync('postgres', ['--version']).status === 0)
    return '';
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = versions.map(version => path.join(VERSIONS, version, 'bin'));
  return folders.find(folder => existsSync(path.join(folder, 'initdb')));
}

/** Why there is no PostgreSQL here; undefined when there is one. */
export function noPostgres(): string | undefined {
  return programs() === undefined ? 'there is no PostgreSQL (Debian has it as postgresql)' : undefined;
}

/** PostgreSQL does not run as root: then it runs as the user that its package makes. */
function user(): { uid: number; gid: number } | Record<string, never> {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** A real PostgreSQL on a loopback port of its own. */
export async function startPostgres() {
  const as = user();
  const folder = mkdtempSync(path.join(tmpdir(), 'postgres-'));
  if (as.uid !== undefined) chownSync(folder, as.uid, as.gid);
  const bin = programs() ?? '';
  const data = path.join(folder, 'data');
  const make = (program: string, ...args: string[]): void =>
    void execFileSync(path.join(bin, program), args, { ...as, cwd: folder, stdio: 'ignore' });
  make('initdb', '-D', data, '-U', 'pve', '-A', 'trust', '--no-sync');
  const server = await serverOf(bin, folder, data);
  return {
    ...server,
    /** A copy that follows it (a hot standby). */
    copy: async () => {
      const place = path.join(folder, 'copy');
      const from = ['-h', '127.0.0.1', '-p', String(server.port), '-U', 'pve'];
      make('pg_basebackup', ...from, '-D', place, '-R', '-c', 'fast', '--no-sync');
      const { url, stop } = await serverOf(bin, folder, place);
      return { url, close: stop };
    },
    close: async (): Promise<void> => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function serverOf(bin: string, folder: string, data: string) {
  const port = await freePort();
  const args = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', folder, '-F'];
  let child: ChildProcess;
  const start = async (): Promise<void> => {
    child = spawn(path.join(bin, 'postgres'), args, { ...user(), cwd: folder, stdio: 'ignore' });
    const ready = (): boolean =>
      spawnSync(path.join(bin, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port)]).status === 0;
    for (let tries = 0; !ready(); tries += 1) {
      if (tries > 300 || child.exitCode !== null) throw new Error('PostgreSQL does not start');
      await new Promise(resolve => setTimeout(resolve, 100));
    }
  };
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise(resolve => child.once('close', resolve));
    // it ends all sessions, and waits for none
    child.kill('SIGINT');
    await ended;
  };
  await start();
  return { port, url: `postgres://pve@127.0.0.1:${port}/postgres`, start, stop };
}

export type Postgres = Awaited<ReturnType<typeof startPostgres>>;
