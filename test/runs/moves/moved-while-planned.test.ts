import { setTimeout as sleep } from 'node:timers/promises';
import { administratorOf } from '../../support/cluster/administrator';
import { lab, labWorld } from '../../support/cluster/lab';

const machine = {
  ...{ id: 'web', node: 'pve2', image: { blank: true }, power: 'stopped' },
  disks: [{ name: 'root', size: '1G', storage: 'local-lvm' }],
};

it('a machine that somebody moves while its plan looks at its volumes is read anew', async () => {
  const cluster = await lab({ world: labWorld() });
  try {
    expect(await cluster.bring(machine)).toEqual([]);
    const [vmid, guest] = Object.entries(cluster.world.guests).find(([, { node }]) => node === 'pve2')!;
    const [effect, path] = [
      { kind: 'slow', ms: 600, work: 'not-done' } as const,
      '/nodes/pve2/storage/local-lvm/content',
    ];
    cluster.simulator.faults.add({ path, count: 1, effect });
    const brought = cluster.bring({ ...machine, node: 'pve3', pin: true });
    await sleep(300);
    expect(
      await administratorOf(cluster)('POST', `/nodes/pve2/qemu/${vmid}/migrate`, { target: 'pve3' }),
    ).toBe(true);
    expect(await brought).toEqual([]);
    expect(guest.node).toBe('pve3');
  } finally {
    await cluster.close();
  }
});
