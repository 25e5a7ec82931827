import { Vmids } from '../../reconciler/vmids';
import type { ListedGuest } from '../../reconciler/observed';
import { cluster } from '../support/observed';

const range = { from: 10_000, to: 99_999 };
const alone = { births: 0, conflicts: 0 };
const listed = (fields: Partial<ListedGuest>): ListedGuest => ({
  vmid: 100,
  type: 'qemu',
  node: 'pve1',
  name: 'other',
  tags: [],
  template: false,
  power: 'stopped',
  lock: undefined,
  pool: undefined,
  haManaged: false,
  memory: 0,
  ...fields,
});
const withIds = (...vmids: number[]) => cluster({ guests: vmids.map(vmid => listed({ vmid })) });

test('gives the lowest free id to whoever is alone, and each only once', () => {
  const vmids = new Vmids(range);
  const seen = withIds(10_000, 10_002);
  expect([1, 2, 3].map(() => vmids.choose(seen, alone))).toEqual([10_001, 10_003, 10_004]);
});

test.each([
  ['somebody makes a guest', { births: 1, conflicts: 0 }, 8],
  ['nine others make guests', { births: 9, conflicts: 0 }, 40],
  ['an id was lost', { births: 0, conflicts: 1 }, 20],
])('when %s, takes one of the next free ids', (_, rivalry, width) => {
  const chosen = Array.from({ length: 300 }, () => new Vmids(range).choose(withIds(10_000), rivalry) ?? 0);
  expect(Math.min(...chosen)).toBeGreaterThan(10_000);
  expect(Math.max(...chosen)).toBeLessThanOrEqual(10_000 + width);
  expect(new Set(chosen).size).toBeGreaterThan(width / 2);
});

test('counts what the listing shows in the making, but not what it gave itself', () => {
  const making = (vmid: number) => listed({ vmid, lock: 'clone' });
  const vmids = new Vmids(range);
  expect(vmids.choose(withIds(), alone)).toBe(10_000);
  expect(vmids.choose(cluster({ guests: [making(10_000)] }), alone)).toBe(10_001);
  const beside = Array.from({ length: 100 }, () =>
    new Vmids(range).choose(cluster({ guests: [making(10_000)] }), alone),
  );
  expect(new Set(beside).size).toBeGreaterThan(1);
});

test('gives none when the range is full', () => {
  const vmids = new Vmids({ from: 10_000, to: 10_001 });
  expect([1, 2, 3].map(() => vmids.choose(withIds(10_000), { births: 3, conflicts: 2 }))).toEqual([
    10_001,
    undefined,
    undefined,
  ]);
});
