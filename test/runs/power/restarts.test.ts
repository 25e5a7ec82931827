import { restartFaults } from '../../support/runs/restart-faults';
import { EVERY } from '../../support/turns';

const ofTheGate = [1, 101];
const seeds = EVERY ? [...ofTheGate, 201, 51, 151, 251] : ofTheGate;

describe('a machine that runs restarts as often as its plan said', () => {
  it.each(seeds)('50 changes from seed %i', async first => {
    expect(await restartFaults(first, 50)).toEqual([]);
  });
});
