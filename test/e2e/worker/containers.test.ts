import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { marked } from '../../support/cluster/end-state';
import { HeldRequests } from '../../support/cluster/held-requests';
import { sharedLab, small, until } from '../../support/processes/shared-lab';
import { skipped } from '../../support/skipped';

const CLIENT = [process.execPath, path.join(process.cwd(), 'dist', 'reconciler.cjs'), 'apply'];
const mayMake = spawnSync('unshare', ['-p', '-f', '--mount-proc', 'true']).status === 0;

/** `/proc` is the container's own, or that of the host, where the same ids are other processes. */
const CONTAINERS = { 'with a /proc of its own': ['--mount-proc'], 'with the /proc of the host': [] };

if (!mayMake)
  skipped('a run in a container', 'no namespace of processes can be made: only root on Linux may');
else
  test.each(Object.entries(CONTAINERS))(
    'a run in a container, %s, and one beside it share a folder and no worker',
    async (_, flags) => {
      const held = new HeldRequests();
      const lab = await sharedLab({ before: held.before });
      try {
        const { met, release } = held.next('POST /nodes/pve1/qemu');
        const here = lab.apply(small('a'));
        await met;
        const env = { PATH: process.env['PATH'] ?? '', ...lab.applyEnvironment(small('b')) };
        const there = spawn('unshare', ['-p', '-f', ...flags, ...CLIENT], { env });
        const ended = new Promise(resolve => there.on('close', resolve));
        await until(() => lab.workers().length === 2);
        const [mine] = lab.workers();
        expect(await ended).toBe(0);
        // its first process was its last: the system has ended the worker with it, and the socket stays
        await until(() => lab.workers().length === 1);
        expect(lab.workers()).toEqual([mine]);
        release();
        expect((await here.ended).code).toBe(0);
        expect(['a', 'b'].map(id => marked(lab.world, id).length)).toEqual([1, 1]);
        await until(() => lab.workers().length === 0);
        expect(lab.files()).toEqual([]);
      } finally {
        await lab.close();
      }
    },
  );
