import { numbersBelow } from '../../support/in-parallel';
import { rivalFaults, rivalMachines } from '../../support/runs/rival-faults';
import { EVERY } from '../../support/turns';

const seeds = numbersBelow(EVERY ? 4 : 2);

describe.each(Object.entries(rivalMachines))('a machine %s is one', (_, machine) => {
  it.each([2, 4])('for %i runs that begin together, beside a clone of somebody else', async runs => {
    for (const seed of seeds) {
      expect(await rivalFaults({ machine, runs, seed, besideClone: true })).toEqual([]);
    }
  });

  it('for 3 runs that begin together, with nobody beside them', async () => {
    for (const seed of seeds) {
      expect(await rivalFaults({ machine, runs: 3, seed, besideClone: false })).toEqual([]);
    }
  });
});
