import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
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

// an inode is a file or a folder: of one, only the folder itself is there; of two, a folder can be made in it
test.each(['ro', 'nr_inodes=1', 'nr_inodes=2', 'nr_inodes=3'])(
  'where the folder of temporary files is read-only or full (%s), nothing is lost or left',
  async options => {
    // only root may mount
    if (!mounted(options)) return expect(process.geteuid?.()).not.toBe(0);
    const { code } = await lab.apply(small('a'), { TMPDIR: folder }).ended;
    expect({ code, left: readdirSync(folder), made: marked(lab.world, 'a').length }).toEqual({
      ...{ code: 0, left: [], made: 1 },
    });
  },
);
