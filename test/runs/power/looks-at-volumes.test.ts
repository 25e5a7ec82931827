import { desired, errorsOf, lab, labWorld, type Json, type Lab } from '../../support/cluster/lab';
import { runningWeb } from '../../support/runs/running-web';

type Ledger = Pick<Lab, 'simulator'>;
const looks = ({ simulator }: Ledger): string[] =>
  simulator.ledger
    .entries()
    .map(({ path }) => path)
    .filter(path => path.endsWith('/content'));

test('a restart looks once at the volumes of its machine: its later rounds go by that', async () => {
  const { cluster, change, guest } = await runningWeb();
  try {
    expect(await change({ cpu: { cores: 2 } })).toEqual([]);
    expect(guest().config).toMatchObject({ cores: '2' });
    expect(looks(cluster)).toEqual(['/nodes/pve1/storage/local-lvm/content']);
  } finally {
    await cluster.close();
  }
});

describe('machines of one node that are restarted together', () => {
  let cluster: Lab;
  afterEach(() => cluster.close());
  const IDS = ['a', 'b', 'c'];

  async function restartOn(storage: string): Promise<void> {
    const world = labWorld();
    const total = 900 * 1024 ** 3;
    world.storages.push({
      storage: 'ceph',
      type: 'rbd',
      content: 'images',
      shared: true,
      enabled: true,
      total,
    });
    cluster = await lab({ world, as: 'root', taskMs: 0 });
    const machine = (id: string, cores: number): Json => ({
      ...{ id, node: 'pve1', image: { blank: true }, restart: 'whenNeeded', cpu: { cores } },
      ...{ forceStop: true, shutdownTimeout: '1s', disks: [{ name: 'root', size: '1Gi', storage }] },
    });
    const bring = async (cores: number) =>
      errorsOf(await cluster.run(desired(IDS.map(id => machine(id, cores)))));
    expect(await bring(1)).toEqual([]);
    cluster.simulator.ledger.reset();
    expect(await bring(2)).toEqual([]);
  }

  // Proxmox goes through the whole pool whichever guest is asked for (RBDPlugin.pm, list_images)
  it('share one look at a pool', async () => {
    await restartOn('ceph');
    expect(looks(cluster)).toEqual(['/nodes/pve1/storage/ceph/content']);
  });

  it('look each at their own folder on a storage of files', async () => {
    await restartOn('shared');
    expect(looks(cluster)).toEqual(IDS.map(() => '/nodes/pve1/storage/shared/content'));
  });
});
