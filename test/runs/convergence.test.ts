import { convergenceFaults, singleFieldFaults } from '../support/runs/convergence-faults';
import { numbersBelow } from '../support/in-parallel';
import { randomPair } from '../support/random/pair';
import { PAIR_FIELDS } from '../support/random/spec';
import { EVERY } from '../support/turns';

const PAIRS = 50;
const ofTheGate = [1, 51, 101];
const seeds = EVERY ? [...ofTheGate, 151, 201, 251] : ofTheGate;

describe('a machine that had one spec and gets another: the next run changes nothing', () => {
  it.each(seeds)(`${PAIRS} pairs from seed %i`, async first => {
    expect(await convergenceFaults(first, PAIRS)).toEqual([]);
  });

  it('and every field is wanted by one of them', () => {
    const met = new Set(
      ofTheGate.flatMap(first => numbersBelow(PAIRS).map(index => randomPair(first + index).field)),
    );
    expect(PAIR_FIELDS.filter(({ field }) => !met.has(field))).toEqual([]);
  });
});

test('a machine changed in one field: the plan names that field and no other, before and after', async () => {
  expect(await singleFieldFaults()).toEqual([]);
});
