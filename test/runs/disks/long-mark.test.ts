import { MARK_LIMIT } from '../../../spec';
import { lab, type Json } from '../../support/cluster/lab';
import { blankMachine } from '../../support/runs/blank-machine';

it('a machine of many disks with long notes is made, and its mark stays in its room', async () => {
  const cluster = await lab({ isOneConnection: true });
  const notes = 'x'.repeat(6_655);
  const disk = (index: number): Json => ({
    ...{ name: `data-${index}`, size: '4G', storage: 'local-lvm', onRemove: 'delete' },
  });
  try {
    for (const count of [8, 16, 24]) {
      const disks = [...blankMachine.disks, ...Array.from({ length: count }, (_, index) => disk(index))];
      const id = `web-${count}`;
      const wanted = { ...blankMachine, id, description: notes, rebuildOn: ['disks'], disks };
      expect(await cluster.bring(wanted)).toEqual([]);
      const guest = Object.values(cluster.world.guests).find(({ config }) => config['name'] === id);
      expect((guest?.config['description'] ?? '').length - notes.length - 1).toBeLessThanOrEqual(MARK_LIMIT);
    }
  } finally {
    await cluster.close();
  }
});
