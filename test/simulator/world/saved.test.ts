import { defaultWorld, loadWorld, namedWorld, WORLD_NAMES } from '../../../simulator';
import { saveWorld } from '../../../simulator/world-file/save';
import { ask } from '../../support/cluster/ask';
import { openCluster } from '../../support/cluster/open-cluster';

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test.each(['the usual one', ...WORLD_NAMES])('a world is the same when its file is loaded: %s', name => {
  const world = namedWorld(name) ?? defaultWorld(3, 20);
  expect(plain(loadWorld(plain(saveWorld(world))))).toEqual(plain(world));
});

test('a running cluster gives a file of what became of it, which loads', async () => {
  const cluster = await openCluster({ world: defaultWorld(3) });
  try {
    await cluster.run('POST', '/nodes/pve1/qemu', { vmid: 300, name: 'new', scsi0: 'local-lvm:1' });
    await cluster.run('POST', '/nodes/pve1/qemu/300/status/start', {});
    await cluster.run('POST', '/nodes/pve1/qemu/300/snapshot', { snapname: 'one' });
    await cluster.data('POST', '/access/roles', { roleid: 'Nothing' });
    await cluster.data('POST', '/cluster/ha/resources', { sid: 'vm:300' });
    await cluster.data('POST', '/cluster/backup', { id: 'nightly', vmid: '300', schedule: '21:00' });
    const { json } = await ask(cluster.simulator, 'GET', '/_sim/world?form=file');
    const world = loadWorld(json);
    expect(world.guests[300]).toMatchObject({ config: { name: 'new' }, running: { qmp: 'running' } });
    expect(Object.keys(world.guests[300]!.snapshots)).toEqual(['one']);
    expect(world.access.roles['Nothing']).toEqual([]);
    expect(Object.keys(world.ha.resources)).toEqual(['vm:300']);
    expect(world.backupJobs).toEqual({ nightly: { enabled: '1', vmid: '300', schedule: '21:00' } });
  } finally {
    await cluster.close();
  }
});
