import type { WorldEvent } from '../../../simulator/events/event';
import { foreignWrites, writes } from '../../support/cluster/end-state';
import type { Lab } from '../../support/cluster/lab';
import { preparing, scenarios } from '../../support/runs/scenarios';

const OURS = 10_000;
const AT = '/nodes/*/qemu/10000';
const DELETE = 'DELETE /nodes/pve1/qemu/10000';

let cluster: Lab;
beforeEach(async () => {
  const open = await preparing({ have: scenarios['create blank']!.want, want: undefined });
  cluster = await open({ timeScale: 50 });
  cluster.world.ha.resources['vm:10000'] = { sid: 'vm:10000', state: 'started', settings: {} };
});
afterEach(() => cluster.close());

const paths = (): string[] =>
  cluster.simulator.ledger.entries().map(({ method, path }) => `${method} ${path}`);

/** Something happens at the first look at the guest's state: it was told to stop, and HA has not stopped it yet. */
function whileItStops(set: Record<string, string>): void {
  const event: WorldEvent = { kind: 'edit', vmid: OURS, set, delete: [] };
  cluster.simulator.faults.add({
    path: `${AT}/status/current`,
    count: 1,
    effect: { kind: 'event', event },
  });
}

test('HA stops it first; then whose it is, is read again, and it goes with its HA resource', async () => {
  expect(await cluster.destroy('web')).toBe('destroyed');
  expect(cluster.world.guests[OURS]).toBeUndefined();
  expect(cluster.world.ha.resources).toEqual({});
  expect(cluster.world.volumes.filter(({ vmid }) => vmid === OURS)).toEqual([]);
  const calls = paths();
  const lastLook = calls.lastIndexOf('GET /nodes/pve1/qemu/10000/pending');
  expect(calls.lastIndexOf('GET /nodes/pve1/qemu/10000/status/current')).toBeLessThan(lastLook);
  expect(lastLook).toBeLessThan(calls.indexOf(DELETE));
  expect(foreignWrites(cluster)).toEqual([]);
});

test.each([
  ['another has its id', { description: 'theirs', smbios1: 'uuid=99999999-0000-4000-8000-000000000001' }],
  ['its uuid changed', { smbios1: 'uuid=99999999-0000-4000-8000-000000000001' }],
  ['it was protected', { protection: '1' }],
])('%s while HA stopped it: it stays', async (_, set) => {
  whileItStops(set);
  await expect(cluster.destroy('web')).rejects.toThrow(
    /may have been stopped already; nothing else was changed\.$/,
  );
  expect(cluster.world.guests[OURS]).toBeDefined();
  expect(writes(cluster.simulator)).toEqual(['POST /nodes/pve1/qemu/10000/status/stop']);
});

test('the quorum goes while HA stops it: no disk goes before it is back', async () => {
  const lost = { kind: 'event', event: { kind: 'quorum', quorate: false } } as const;
  const back = { kind: 'event', event: { kind: 'quorum', quorate: true } } as const;
  const powerOff = setInterval(() => {
    const guest = cluster.world.guests[OURS];
    if (guest && !cluster.world.cluster?.quorate) guest.running = null;
  }, 20);
  cluster.simulator.faults.add({ path: `${AT}/status/current`, count: 1, effect: lost });
  cluster.simulator.faults.add({ path: '/cluster/status', after: 4, count: 1, effect: back });
  expect(await cluster.destroy('web')).toBe('destroyed');
  clearInterval(powerOff);
  // the fifth look at the quorum finds it back
  const calls = paths();
  const looks = calls.flatMap((call, at) => (call === 'GET /cluster/status' ? [at] : []));
  expect(calls.indexOf(DELETE)).toBeGreaterThan(looks[4]!);
  expect(cluster.world.guests[OURS]).toBeUndefined();
});
