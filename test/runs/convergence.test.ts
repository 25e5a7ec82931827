import { convergenceFaults, singleFieldFaults } from '../support/runs/convergence-faults';
import { numbersBelow } from '../support/in-parallel';
import { randomPair } from '../support/random/pair';
import { PAIR_FIELDS } from '../support/random/spec';

describe('a machine that had one spec and gets another: the next run changes nothing', () => {
  it.each([1, 51, 101, 151, 201, 251])('50 pairs from seed %i', async first => {
    expect(await convergenceFaults(first, 50)).toEqual([]);
  });

  it('and every field is wanted by one of them', () => {
    const met = new Set(numbersBelow(300).map(index => randomPair(1 + index).field));
    expect(PAIR_FIELDS.filter(({ field }) => !met.has(field))).toEqual([]);
  });
});

test('a machine changed in one field: the plan names that field and no other, before and after', async () => {
  expect(await singleFieldFaults()).toEqual([]);
});
