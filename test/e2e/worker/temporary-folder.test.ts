import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { skipped } from '../../support/skipped';
import { marked } from '../../support/cluster/end-state';
import { sharedLab, small, until, workersIn, type SharedLab } from '../../support/processes/shared-lab';

let lab: SharedLab;
let folder: string;
beforeEach(async () => {
  lab = await sharedLab();
  folder = path.join(lab.temporary, 'mounted');
  mkdirSync(folder);
});
afterEach(async () => {
  // lazily: a worker may be in it still
  spawnSync('umount', ['-l', folder]);
  await lab.close();
});

const mounted = (options: string): boolean =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'none', folder]).status === 0;

/** What becomes of the folder while a worker is in it, and how that is mended. */
const TURNS = {
  'read-only': () => spawnSync('mount', ['-o', 'remount,ro', folder]),
  full: () => spawnSync('sh', ['-c', `dd if=/dev/zero of=${folder}/rest 2>/dev/null`]),
};
const TURNED =
  'where it turns %s while a worker is in it, the next one goes on alone, and says nothing of it';
if (process.geteuid?.() !== 0) skipped(TURNED, 'only root may mount');
else
  test.each(Object.entries(TURNS))(TURNED, async (_, turn) => {
    expect(mounted('size=64k')).toBe(true);
    const there = { TMPDIR: folder };
    expect(await lab.apply(small('a'), there).ended).toMatchObject({ code: 0 });
    turn();
    for (const pid of workersIn(folder)) process.kill(pid, 'SIGKILL');
    await until(() => workersIn(folder).length === 0);
    for (const id of ['b', 'c']) {
      const { code, stderr } = await lab.apply(small(id), there).ended;
      expect({ id, code, wrong: /EROFS|ENOSPC|Error|has ended/.exec(stderr)?.[0] }).toEqual({ id, code: 0 });
    }
  });

const FULL = 'where the folder of temporary files is read-only or full (%s), nothing is lost or left';
// an inode is a file or a folder: of one, only the folder itself is there; of two, a folder can be made in it
if (process.geteuid?.() !== 0) skipped(FULL, 'only root may mount');
else
  test.each(['ro', 'nr_inodes=1', 'nr_inodes=2', 'nr_inodes=3'])(FULL, async options => {
    expect(mounted(options)).toBe(true);
    const { code } = await lab.apply(small('a'), { TMPDIR: folder }).ended;
    // of three there is one for the socket
    await until(() => workersIn(folder).length === 0);
    expect({ code, left: readdirSync(folder), made: marked(lab.world, 'a').length }).toEqual({
      ...{ code: 0, left: [], made: 1 },
    });
  });
