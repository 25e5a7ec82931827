import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { skipped } from '../../support/skipped';
import { marked } from '../../support/cluster/end-state';
import { sharedLab, small, type SharedLab } from '../../support/processes/shared-lab';

let lab: SharedLab;
let folder: string;
beforeEach(async () => {
  lab = await sharedLab();
  folder = path.join(lab.temporary, 'mounted');
  mkdirSync(folder);
});
afterEach(async () => {
  spawnSync('umount', [folder]);
  await lab.close();
});

const mounted = (options: string): boolean =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'none', folder]).status === 0;

const FULL = 'where the folder of temporary files is read-only or full (%s), nothing is lost or left';
// an inode is a file or a folder: of one, only the folder itself is there; of two, a folder can be made in it
if (process.geteuid?.() !== 0) skipped(FULL, 'only root may mount');
else
  test.each(['ro', 'nr_inodes=1', 'nr_inodes=2', 'nr_inodes=3'])(FULL, async options => {
    expect(mounted(options)).toBe(true);
    const { code } = await lab.apply(small('a'), { TMPDIR: folder }).ended;
    expect({ code, left: readdirSync(folder), made: marked(lab.world, 'a').length }).toEqual({
      ...{ code: 0, left: [], made: 1 },
    });
  });
