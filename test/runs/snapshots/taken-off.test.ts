import { administratorOf } from '../../support/cluster/administrator';
import { lab, type Json } from '../../support/cluster/lab';
import { blankMachine } from '../../support/runs/blank-machine';

test('a disk that somebody attached since the snapshot is named before going back takes it off', async () => {
  const cluster = await lab();
  try {
    const want: Json = { ...blankMachine, snapshots: [{ name: 'clean' }] };
    expect(await cluster.bring(want)).toEqual([]);
    const attached = { scsi5: 'local-lvm:4' };
    expect(await administratorOf(cluster)('POST', '/nodes/pve1/qemu/10000/config', attached)).toBe(true);
    cluster.events.length = 0;
    expect(await cluster.bring({ ...want, revertTo: 'clean' })).toEqual([]);
    const warnings = cluster.events.flatMap(event => (event.kind === 'warning' ? [event.text] : []));
    expect(warnings.join(' ')).toMatch(
      /does not have scsi5 \(local-lvm:vm-10000-disk-1\).*qm set 10000 --scsi5/,
    );
    const [unused] = Object.entries(cluster.world.guests[10_000]!.config).filter(([key]) =>
      /^unused/.test(key),
    );
    expect(unused?.[1]).toBe('local-lvm:vm-10000-disk-1');
  } finally {
    await cluster.close();
  }
});
