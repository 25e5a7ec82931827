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
      /does not have local-lvm:vm-10000-disk-1, which somebody attached since as scsi5:.*\(qm set 10000 --scsi5 local-lvm:vm-10000-disk-1\)\./,
    );
    const [unused] = Object.entries(cluster.world.guests[10_000]!.config).filter(([key]) =>
      /^unused/.test(key),
    );
    expect(unused?.[1]).toBe('local-lvm:vm-10000-disk-1');
  } finally {
    await cluster.close();
  }
});

test('no command that is printed has a volume in it whose name a shell would run', async () => {
  const cluster = await lab();
  try {
    const want: Json = { ...blankMachine, snapshots: [{ name: 'clean' }] };
    expect(await cluster.bring(want)).toEqual([]);
    const { config } = cluster.world.guests[10_000]!;
    config['scsi5'] = 'shared:vm-10000-$(reboot),size=1G';
    cluster.events.length = 0;
    await cluster.bring({ ...want, revertTo: 'clean' });
    const warnings = cluster.events.flatMap(event => (event.kind === 'warning' ? [event.text] : []));
    expect(warnings.join(' ')).toContain('(qm set 10000 --scsi5 VOLUME)');
  } finally {
    await cluster.close();
  }
});

test('the way back for it spares what the snapshot has in its slot', async () => {
  const cluster = await lab();
  try {
    expect(await cluster.bring(blankMachine)).toEqual([]);
    const at = '/nodes/pve1/qemu/10000/config';
    const by = administratorOf(cluster);
    expect(await by('POST', at, { scsi5: 'local-lvm:4', scsi1: 'local-lvm:1' })).toBe(true);
    const want: Json = { ...blankMachine, snapshots: [{ name: 'clean' }] };
    expect(await cluster.bring(want)).toEqual([]);
    expect(await by('POST', at, { delete: 'scsi5' })).toBe(true);
    expect(await by('POST', at, { scsi5: 'local-lvm:2' })).toBe(true);
    const { config } = cluster.world.guests[10_000]!;
    const since = config['scsi5']!.split(',')[0]!;
    cluster.events.length = 0;
    expect(await cluster.bring({ ...want, revertTo: 'clean' })).toEqual([]);
    const warnings = cluster.events
      .flatMap(event => (event.kind === 'warning' ? [event.text] : []))
      .join(' ');
    const [, slot = '', volume] = /qm set 10000 --(\S+) (\S+)\)/.exec(warnings) ?? [];
    expect(volume).toBe(since);
    expect(warnings).toContain('not in scsi5: that holds what the snapshot has there');
    const back = cluster.world.guests[10_000]!.config;
    const before = { ...back };
    expect(await by('POST', at, { [slot]: since })).toBe(true);
    expect(cluster.world.guests[10_000]!.config).toMatchObject({
      scsi1: before['scsi1'],
      scsi5: before['scsi5'],
    });
  } finally {
    await cluster.close();
  }
});
