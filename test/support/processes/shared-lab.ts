import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cliLab, start, type Running } from './cli';

/** A machine that is made from nothing, off: what a test needs that is about something else. */
export const small = (id: string, more: object = {}) => ({
  id,
  node: 'pve1',
  image: { blank: true },
  memory: '1Gi',
  power: 'stopped',
  disks: [{ name: 'root', size: '1G', storage: 'local-lvm' }],
  ...more,
});

/** A simulated cluster, and a folder for temporary files of its own, so that its worker is nobody else's. */
export async function sharedLab(options: Parameters<typeof cliLab>[0] = {}) {
  const lab = await cliLab(options);
  // a short path: sockets allow no long one
  const temporary = mkdtempSync('/tmp/w-');
  const env = { ...lab.access, TMPDIR: temporary, PVE_RUN: '' };
  const wire = {
    PROXMOX_PROTOCOL: '1',
    PROXMOX_CLUSTER: JSON.stringify({ name: 'lab' }),
    PROXMOX_OWNER: 'team/lab',
    PROXMOX_TOKEN: '',
  };
  const applyEnvironment = (spec: { id: string }) => ({
    ...env,
    ...wire,
    ...named(spec.id),
    PROXMOX_SPEC: JSON.stringify(spec),
  });
  const apply = (spec: { id: string }, more: Record<string, string> = {}): Running =>
    start(['apply'], { ...applyEnvironment(spec), ...more });
  const files = (): string[] => readdirSync(temporary, { recursive: true }).map(String);
  return {
    ...lab,
    temporary,
    env,
    applyEnvironment,
    /** Starts an apply of one machine, as Terraform does for each. */
    apply,
    destroy: (id: string, more: Record<string, string> = {}): Running =>
      start(['destroy'], { ...env, ...wire, ...named(id), ...more }),
    workers: () => workersIn(temporary),
    /** Resolves once a client has come to a worker that stands still: it is in the list of those who wait. */
    connected: () => until(() => socketsIn(temporary) > 1),
    /** What is left of a worker in the folder, below it. */
    files,
    /** The path of the socket that a worker of this lab has: one that was there, and is gone, tells. */
    socket: async (): Promise<string> => {
      const first = apply(small('first'));
      const found = (): string | undefined => files().find(file => /\/[0-9a-f]{16}$/.test(file));
      await until(() => found() !== undefined);
      const name = found() ?? '';
      const { code, stderr } = await first.ended;
      if (code !== 0) throw new Error(stderr);
      for (const pid of workersIn(temporary)) process.kill(pid, 'SIGKILL');
      await until(() => workersIn(temporary).length === 0);
      rmSync(join(temporary, dirname(name)), { recursive: true });
      return join(temporary, name);
    },
    close: async (): Promise<void> => {
      for (const pid of workersIn(temporary)) process.kill(pid, 'SIGKILL');
      await lab.close();
      rmSync(temporary, { recursive: true });
    },
  };
}

export type SharedLab = Awaited<ReturnType<typeof sharedLab>>;

const named = (id: string) => ({ PROXMOX_MACHINE: id, PROXMOX_ENTRY: `entry-${id}` });

/** The workers whose socket is in this folder. Linux only. */
export function workersIn(folder: string): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .filter(pid => readOf(pid, 'cmdline').includes(`${join(folder, 'pve-run-')}`))
    .map(Number);
}

/** The sockets that have their name here, those of clients who wait too. Linux only. */
function socketsIn(folder: string): number {
  const lines = readFileSync('/proc/net/unix', 'utf8').split('\n');
  return lines.filter(line => line.includes(` ${folder}/`)).length;
}

export function readOf(pid: number | string, what: 'cmdline' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${what}`, 'utf8');
  } catch {
    return ''; // it has ended
  }
}

/** Resolves once this holds; what does not come to hold ends by the time limit of the test. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(20);
}
