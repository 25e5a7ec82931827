import { runLine } from '../../reconciler/walk/live';
import { desired, desiredJson, errorsOf, lab, type Json, type Lab } from '../../support/cluster/lab';
import { programAccess } from '../../support/cluster/program-access';

const orphan = (id: string, vmid: number): Json => ({
  ...{ id, vmid, node: 'pve1', image: { blank: true }, power: 'stopped' },
  disks: [{ name: 'root', size: '1G', storage: 'local-lvm' }],
});
/** One of the lab that is nobody's of ours. */
const FOREIGN = 'GET /nodes/pve3/qemu/100/pending';

let cluster: Lab;
let requests: string[];
let before: (request: string) => void | Promise<void>;
beforeEach(async () => {
  before = () => undefined;
  cluster = await lab({ before: ({ method, path }) => before(`${method} ${path}`) });
  const three = [orphan('a', 700), orphan('b', 701), orphan('c', 702)];
  expect(errorsOf(await cluster.run(desired(three)))).toEqual([]);
  requests = [];
  before = request => void requests.push(request);
});
afterEach(() => cluster.close());

const gc = (...line: string[]) =>
  runLine(
    ['gc', ...line, '--spec', '-'],
    { ...programAccess(cluster.simulator), PVE_TASK_POLL_INTERVAL: '5ms', PVE_REQUEST_TIMEOUT: '7s' },
    JSON.stringify(desiredJson([])),
  );
const readsOfForeign = () => requests.filter(request => request === FOREIGN).length;

test('the other guests are read once for all orphans, to tell what would go', async () => {
  expect((await gc()).out.match(/gc --yes destroys it/g)).toHaveLength(3);
  expect(readsOfForeign()).toBe(1);
});

test('they are read once for all orphans that have a disk which no mark explains', async () => {
  for (const vmid of [700, 701, 702])
    cluster.world.guests[vmid]!.config['scsi5'] = `local-lvm:vm-${vmid}-disk-0,size=1G`;
  expect((await gc()).out.match(/gc --yes destroys it/g)).toHaveLength(3);
  expect(readsOfForeign()).toBe(1);
});

test('and anew directly before each removal: who took a disk after the listing is seen', async () => {
  before = request => {
    requests.push(request);
    if (request !== 'DELETE /nodes/pve1/qemu/700') return;
    const { guests } = cluster.world;
    guests[100]!.config['scsi3'] = guests[701]!.config['scsi0']!;
  };
  const { code, out } = await gc('--yes', '--count', '3');
  expect(code).toBe(3);
  expect(out).toContain('guest 100 on pve3');
  expect([700, 701, 702].filter(vmid => vmid in cluster.world.guests)).toEqual([701]);
  // one for the listing, one for each removal
  expect(readsOfForeign()).toBe(4);
});

test.each([
  ['explained', []],
  ['not explained', [700, 701, 702]],
])('a node that was left out as silent is asked no more for disks that are %s', async (_, unexplained) => {
  for (const vmid of unexplained)
    cluster.world.guests[vmid]!.config['scsi5'] = `local-lvm:vm-${vmid}-disk-0,size=1G`;
  let release = (): void => undefined;
  const held = new Promise<void>(resolve => (release = resolve));
  before = request => {
    if (!request.includes(' /nodes/pve3/')) return;
    requests.push(request);
    return held;
  };
  const { out, said } = await gc('--yes', '--count', '3');
  release();
  expect(said).toContain('node pve3 does not answer');
  expect(out.match(/destroyed/g)).toHaveLength(3);
  expect(requests).toEqual(['GET /nodes/pve3/tasks']);
});
