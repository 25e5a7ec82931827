import { lineOf } from '../../../reconciler/report/lines';
import { ActsOnce } from '../../support/cluster/acts-once';
import { desired, errorsOf, lab, type Json, type Lab } from '../../support/cluster/lab';

const somebody = new ActsOnce();
let cluster: Lab;
beforeEach(async () => {
  cluster = await lab({ taskMs: 0, as: 'root', before: somebody.asked });
});
afterEach(() => cluster.close());

const web: Json = {
  ...{ id: 'web', image: { blank: true }, node: 'pve1', restart: 'whenNeeded' },
  disks: [{ name: 'root', size: '1Gi', storage: 'local-lvm' }],
  networks: [{ name: 'lan' }],
};
const node = () => cluster.world.nodes.find(({ name }) => name === 'pve1')!;

test('what a refused write left for a start that would fail is taken back, and told under the name of its machine', async () => {
  node().bridges.push('vmbr7');
  expect(errorsOf(await cluster.run(desired([web])))).toEqual([]);
  somebody.before(/^POST .*\/config$/, () => {
    node().bridges.pop();
    return Promise.resolve();
  });
  const moved = { ...web, networks: [{ name: 'lan', bridge: 'vmbr7' }] };
  expect(errorsOf(await cluster.run(desired([moved])))).toEqual([expect.stringContaining('hotplug problem')]);
  const guest = Object.values(cluster.world.guests).find(({ config }) => config['name'] === 'web')!;
  expect(guest.pending).toEqual({});
  const warnings = cluster.events.filter(({ kind }) => kind === 'warning').map(lineOf);
  expect(warnings).toEqual(['web: WARNING: Proxmox refused net0; it was taken back, nothing of it waits.']);
});
