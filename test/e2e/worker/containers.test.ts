import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmdirSync } from 'node:fs';
import path from 'node:path';
import { marked } from '../../support/cluster/end-state';
import { HeldRequests } from '../../support/cluster/held-requests';
import { sharedLab, small, until, type SharedLab } from '../../support/processes/shared-lab';
import { skipped } from '../../support/skipped';

const CLIENT = [process.execPath, path.join(process.cwd(), 'dist', 'reconciler.cjs'), 'apply'];
const mayMake = spawnSync('unshare', ['-p', '-f', '--mount-proc', 'true']).status === 0;

let lab: SharedLab;
let held: HeldRequests;
beforeEach(async () => {
  held = new HeldRequests();
  lab = await sharedLab({ before: held.before });
});
afterEach(() => lab.close());

/** Starts an apply in a container; its end is that of all in it. */
function inContainer(id: string, command: string[]) {
  const env = { PATH: process.env['PATH'] ?? '', ...lab.applyEnvironment(small(id)) };
  const child = spawn('unshare', ['-p', '-f', '--kill-child', ...command], { env });
  return { child, ended: new Promise(resolve => child.on('close', resolve)) };
}

/** The most that is counted from now on until it is asked for. */
function mostOf(count: () => number): () => number {
  let most = 0;
  const timer = setInterval(() => (most = Math.max(most, count())), 10);
  return () => {
    clearInterval(timer);
    return most;
  };
}

async function leavesNothing(): Promise<void> {
  await until(() => lab.workers().length === 0);
  expect(lab.files()).toEqual([]);
}

/** A root of its own, with the same files at the same paths, and the same folder for temporary files. */
function ownRoot(): { root: string; remove: () => void } {
  const base = mkdtempSync('/tmp/root-');
  const [upper, work, root] = ['upper', 'work', 'root'].map(name => path.join(base, name));
  const mount = (...args: string[]): void => void expect(spawnSync('mount', args).status).toBe(0);
  mount('-t', 'tmpfs', 'none', base);
  for (const each of [upper, work, root]) mkdirSync(each ?? '');
  mount('-t', 'overlay', 'overlay', '-o', `lowerdir=/,upperdir=${upper},workdir=${work}`, root ?? '');
  const shared = ['/dev', lab.temporary].map(each => `${root}${each}`);
  mount('--bind', '/dev', shared[0] ?? '');
  mount('--bind', lab.temporary, shared[1] ?? '');
  const remove = (): void => {
    for (const each of [...shared, root ?? '', base]) spawnSync('umount', ['-l', each]);
    rmdirSync(base);
  };
  return { root: root ?? '', remove };
}

const APART =
  'a run in a container, where the same path may be another file, and one beside it share no worker';
const ENDS = 'a container that ends takes its worker with it; who shared that beside it does its job alone';
if (!mayMake) {
  skipped(APART, 'no container can be made: only root on Linux may');
  skipped(ENDS, 'no container can be made: only root on Linux may');
} else {
  test(APART, async () => {
    const { root, remove } = ownRoot();
    try {
      const { met, release } = held.next('POST /nodes/pve1/qemu');
      const here = lab.apply(small('a'));
      await met;
      const mostWorkers = mostOf(() => lab.workers().length);
      const there = inContainer('b', [
        'chroot',
        root,
        'sh',
        '-c',
        `cd ${process.cwd()} && ${CLIENT.join(' ')}`,
      ]);
      expect([await there.ended, mostWorkers()]).toEqual([0, 2]);
      release();
      expect((await here.ended).code).toBe(0);
      expect(['a', 'b'].map(id => marked(lab.world, id).length)).toEqual([1, 1]);
      // the socket of the one that ended with the container goes too
      await leavesNothing();
    } finally {
      remove();
    }
  });

  test(ENDS, async () => {
    const there = inContainer('b', CLIENT);
    await until(() => lab.workers().length === 1);
    const { met, release } = held.next('POST /nodes/pve1/qemu');
    const here = lab.apply(small('a'));
    await met;
    expect(lab.workers()).toHaveLength(1);
    there.child.kill('SIGKILL');
    await there.ended;
    await until(() => lab.workers().length === 0);
    release();
    expect((await here.ended).code).toBe(0);
    expect(marked(lab.world, 'a').length).toBe(1);
    await leavesNothing();
  });
}
