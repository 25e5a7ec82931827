import { TakenIds } from '../../reconciler/placement/taken-ids';
import { Vmids } from '../../reconciler/placement/vmids';
import { numbersBelow } from '../support/in-parallel';
import { cluster, listed } from '../support/reconciler/observed';

const range = { from: 10_000, to: 99_999 };
const alone = { creates: 0, conflicts: 0 };
const machines = (count: number) => numbersBelow(count).map(index => ({ owner: 'team', id: `m${index}` }));
const web = { owner: 'team', id: 'web' };
const withIds = (...vmids: number[]) => cluster({ guests: vmids.map(vmid => listed({ vmid })) });

test('gives the lowest free id to whoever is alone, and each only once', () => {
  const vmids = new Vmids(range);
  const seen = withIds(10_000, 10_002);
  expect([1, 2, 3].map(() => vmids.choose(seen, alone, web))).toEqual([10_001, 10_003, 10_004]);
});

test.each([
  ['somebody makes a guest', { creates: 1, conflicts: 0 }, 8],
  ['nine others make guests', { creates: 9, conflicts: 0 }, 40],
  ['an id was lost', { creates: 0, conflicts: 1 }, 20],
  ['three ids were lost', { creates: 0, conflicts: 3 }, 68],
])('when %s, takes one of the next free ids', (_, rivalry, width) => {
  const chosen = machines(300).map(
    machine => new Vmids(range).choose(withIds(10_000), rivalry, machine) ?? 0,
  );
  expect(Math.min(...chosen)).toBeGreaterThan(10_000);
  expect(Math.max(...chosen)).toBeLessThanOrEqual(10_000 + width);
  expect(new Set(chosen).size).toBeGreaterThan(width / 2);
});

test('gives every run of one machine the same id beside others, and another one after each loss', () => {
  const tried = numbersBelow(4).map(conflicts =>
    machines(20).map(machine => new Vmids(range).choose(withIds(), { creates: 3, conflicts }, machine)),
  );
  const again = numbersBelow(4).map(conflicts =>
    machines(20).map(machine => new Vmids(range).choose(withIds(), { creates: 3, conflicts }, machine)),
  );
  expect(again).toEqual(tried);
  expect(tried[0]).not.toEqual(tried[1]);
});

test('counts what the listing shows in the making, but not what it gave itself', () => {
  const making = (vmid: number) => listed({ vmid, lock: 'clone' });
  const vmids = new Vmids(range);
  expect(vmids.choose(withIds(), alone, web)).toBe(10_000);
  expect(vmids.choose(cluster({ guests: [making(10_000)] }), alone, web)).toBe(10_001);
  const beside = machines(100).map(machine =>
    new Vmids(range).choose(cluster({ guests: [making(10_000)] }), alone, machine),
  );
  expect(new Set(beside).size).toBeGreaterThan(1);
});

test('gives none when the range is full', () => {
  const vmids = new Vmids({ from: 10_000, to: 10_001 });
  expect([1, 2, 3].map(() => vmids.choose(withIds(10_000), { creates: 3, conflicts: 2 }, web))).toEqual([
    10_001,
    undefined,
    undefined,
  ]);
});

describe('machines that are new together', () => {
  const fleet = ['m0', 'm1', 'm2', 'm3'].map(id => ({ id, ...(id === 'm2' ? { vmid: 10_001 } : {}) }));

  test('have ids in their order, whoever asks first, past what is taken and what is given by hand', () => {
    const vmids = new Vmids(range, () => fleet);
    vmids.keep([10_001]);
    const asked = ['m3', 'm0', 'm1'].map(id => [
      id,
      vmids.choose(withIds(10_002), alone, { owner: 'team', id }),
    ]);
    expect(Object.fromEntries(asked)).toEqual({ m0: 10_000, m1: 10_003, m3: 10_004 });
  });

  test('leave theirs when somebody took it in between', () => {
    const vmids = new Vmids(range, () => fleet);
    expect(vmids.choose(withIds(), alone, { owner: 'team', id: 'm0' })).toBe(10_000);
    expect(vmids.choose(withIds(10_001), alone, { owner: 'team', id: 'm1' })).toBe(10_003);
  });
});

describe('the id that a plan chose', () => {
  const planned = { owner: 'team', id: 'web', hint: 10_007 };

  test('is taken, also beside others', () => {
    expect(new Vmids(range).choose(withIds(10_000), { creates: 9, conflicts: 0 }, planned)).toBe(10_007);
  });

  test.each([
    ['somebody has it', withIds(10_007), 10_007],
    ['it is out of range', withIds(), 9_999],
    ['the datacenter does not give it', cluster({ nextId: { lower: 100, upper: 10_006 } }), 10_007],
  ])('is not taken when %s', (_, seen, hint) => {
    expect(new Vmids(range).choose(seen, alone, { owner: 'team', id: 'web', hint })).toBe(10_000);
  });

  test('is not taken when it was given by hand, given out, or lost', () => {
    const vmids = new Vmids(range);
    vmids.keep([10_007]);
    expect(vmids.choose(withIds(), alone, planned)).toBe(10_000);
    expect(vmids.choose(withIds(), alone, { owner: 'team', id: 'db', hint: 10_000 })).toBe(10_001);
    // a guest that the caller may not see has it: only one of many chances hits the same id
    const again = machines(100).map(machine =>
      new Vmids(range).choose(withIds(), { creates: 0, conflicts: 1 }, { ...machine, hint: 10_000 }),
    );
    expect(new Set(again).size).toBeGreaterThan(1);
  });
});

describe('runs of one process', () => {
  const db = { owner: 'team', id: 'db' };
  const runs = (count: number): Vmids[] => {
    const taken = new TakenIds();
    return numbersBelow(count).map(() => new Vmids(range, () => [], taken));
  };

  test('choose different ids for different machines, also where a plan chose one for both', () => {
    const [one, other, third] = runs(3);
    expect(one?.choose(withIds(), alone, { ...web, hint: 10_003 })).toBe(10_003);
    expect(other?.choose(withIds(), alone, { ...db, hint: 10_003 })).toBe(10_000);
    expect(third?.choose(withIds(), alone, { owner: 'else', id: 'web' })).toBe(10_001);
  });

  test('meet at one id for one machine', () => {
    expect(runs(2).map(run => run.choose(withIds(), alone, web))).toEqual([10_000, 10_000]);
  });

  test('give an id back when they end', () => {
    const [one, other] = runs(2);
    expect(one?.choose(withIds(), alone, web)).toBe(10_000);
    one?.release();
    expect(other?.choose(withIds(), alone, db)).toBe(10_000);
  });
});
