import { administratorOf } from '../../support/cluster/administrator';
import { lab, type Json, type Lab } from '../../support/cluster/lab';
import { suspendToDisk } from '../../support/runs/suspended';

const base: Json = { id: 'web', image: { blank: true }, restart: 'whenNeeded', shutdownTimeout: '1s' };

let cluster: Lab;
const guest = () => cluster.world.guests[10_000]!;

async function suspended(more: Json): Promise<void> {
  cluster = await lab({ taskMs: 5 });
  expect(await cluster.bring({ ...base, ...more })).toEqual([]);
  guest().system = { kind: 'linux', bootMs: 0, agent: true, obeysShutdown: true };
  await suspendToDisk(cluster);
  cluster.simulator.ledger.reset();
}
afterEach(() => cluster.close());

function lose(key: string): void {
  const volume = guest().config[key]?.split(',')[0];
  const at = cluster.world.volumes.findIndex(({ volid }) => volid === volume);
  expect(cluster.world.volumes.splice(at, 1)).toHaveLength(1);
}
const starts = () => cluster.calls().filter(line => line.endsWith('/status/start'));

const LAN = { networks: [{ name: 'lan', bridge: 'vmbr0' }] };
const OTHER = { networks: [{ name: 'lan', bridge: 'vmbr7' }] };
const ROOT = { disks: [{ name: 'root', size: '1Gi', storage: 'local-lvm' }] };
const DATA = { ...ROOT, cloudInit: { userData: { runcmd: ['ls'] } } };

// a start that wakes a guest needs all that a start needs, as it was when the guest was suspended
describe('a guest that was suspended to disk, and would not wake', () => {
  it.each([LAN, OTHER])('is not started without its bridge, whatever the spec says: %j', async wants => {
    await suspended(LAN);
    cluster.world.nodes.forEach(node => (node.bridges = ['vmbr7']));
    const [refused = ''] = await cluster.bring({ ...base, ...wants });
    expect(refused).toContain(
      "It was suspended to disk, and as it was then it would not start on pve1: net0 is on bridge 'vmbr0', and the node has vmbr7.",
    );
    expect(starts()).toEqual([]);
    expect(guest().config['lock']).toBe('suspended');
    cluster.world.nodes.forEach(node => (node.bridges = ['vmbr0', 'vmbr7']));
    expect(await cluster.bring({ ...base, ...wants })).toEqual([]);
    expect(guest().config['net0']).toContain(wants === LAN ? 'bridge=vmbr0' : 'bridge=vmbr7');
  });

  it('takes the other bridge that the spec says, once its memory is given up', async () => {
    await suspended(LAN);
    cluster.world.nodes.forEach(node => (node.bridges = ['vmbr7']));
    const [refused = ''] = await cluster.bring({ ...base, ...OTHER });
    const [, gone = ''] = /qm set 10000 --delete (\w+)/.exec(refused) ?? [];
    const give = administratorOf(cluster)('PUT', '/nodes/pve1/qemu/10000/config', { delete: gone });
    expect(await give).toBe(true);
    expect(await cluster.bring({ ...base, ...OTHER })).toEqual([]);
    expect(guest()).toMatchObject({ running: { qmp: 'running' }, pending: {} });
  });

  it.each([ROOT, { disks: [] }])(
    'is not started without its disk, and nobody says that it runs',
    async wants => {
      await suspended(ROOT);
      lose('scsi0');
      const [refused = ''] = await cluster.bring({ ...base, ...wants });
      expect(refused).toMatch(/scsi0.* storage 'local-lvm' has no such volume/);
      expect(refused).not.toContain('still runs');
      expect(starts()).toEqual([]);
    },
  );

  it('is judged by the node where it is, also where it is to move', async () => {
    await suspended({ ...LAN, node: 'pve1' });
    cluster.world.nodes.forEach(node => (node.bridges = node.name === 'pve2' ? ['vmbr0'] : ['vmbr7']));
    const [refused = ''] = await cluster.bring({ ...base, ...LAN, node: 'pve2', pin: true });
    expect(refused).toContain('as it was then it would not start on pve1');
    expect(starts()).toEqual([]);
  });

  it('gets the ISO with its data back before it wakes', async () => {
    await suspended(DATA);
    lose('ide0');
    expect(await cluster.bring({ ...base, ...DATA })).toEqual([]);
    expect(guest()).toMatchObject({ running: { qmp: 'running' } });
    expect(guest().config['vmstate']).toBeUndefined();
  });
});
