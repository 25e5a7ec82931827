import { adopt } from '../../../reconciler/commands/adopt/adopt';
import { ownerTag } from '../../../reconciler/mark/owner-tag';
import type { Options } from '../../../reconciler/input/surroundings';
import { Reporter } from '../../../reconciler/report/reporter';
import { administratorOf } from '../../support/cluster/administrator';
import { marked } from '../../support/cluster/end-state';
import { lab, type Lab } from '../../support/cluster/lab';
import { programAccess } from '../../support/cluster/program-access';

let cluster: Lab;
afterEach(() => cluster.close());

async function guests(options: { lagMs?: number } = {}): Promise<void> {
  cluster = await lab(options);
  const admin = administratorOf(cluster);
  for (const [vmid, node] of [
    ['300', 'pve1'],
    ['301', 'pve2'],
  ])
    await admin('POST', `/nodes/${node}/qemu`, { vmid: vmid!, name: 'web' });
}

async function adopted(words: string[], options: Options = {}, text = '') {
  const said: string[] = [];
  let out = '';
  const around = {
    environment: programAccess(cluster.simulator),
    readInput: () => Promise.resolve(text),
    out: (written: string) => void (out += written),
    reporter: new Reporter({ write: line => said.push(line), level: 'info', json: false }),
    signal: new AbortController().signal,
  };
  const given = { owner: 'team', cluster: 'lab', form: 'json', yes: true, ...options };
  const code = await adopt(around, given, words);
  const { machines } = JSON.parse(out) as { machines: { id: string }[] };
  return { code, ids: machines.map(({ id }) => id), said: said.join('') };
}

// the listing lags by some seconds on a real cluster, by ten minutes in the second row
test.each([0, 600_000])(
  'an id that a machine of the owner has is given to no other guest, lag %d',
  async lagMs => {
    await guests({ lagMs });
    expect(await adopted(['300'])).toMatchObject({ code: 0, ids: ['web'] });
    expect(await adopted(['301'])).toMatchObject({ code: 0, ids: ['web-301'] });
    expect(marked(cluster.world, 'web').map(({ vmid }) => vmid)).toEqual([300]);
  },
);

test('another owner may have it all the same', async () => {
  await guests();
  await adopted(['300'], { owner: 'they' });
  expect(await adopted(['301'])).toMatchObject({ code: 0, ids: ['web'] });
});

test('a guest that lost its mark and kept its tag gets its own id again', async () => {
  await guests();
  cluster.world.guests[300]!.config['tags'] = ownerTag('team', 'web');
  expect(await adopted(['300'])).toMatchObject({ code: 0, ids: ['web'] });
});

test('a machine whose tag somebody took away keeps its id, where it is among those that are read', async () => {
  await guests();
  await adopted(['300']);
  delete cluster.world.guests[300]!.config['tags'];
  expect(await adopted([], { all: true })).toMatchObject({
    ids: expect.not.arrayContaining(['web']) as unknown,
  });
});
