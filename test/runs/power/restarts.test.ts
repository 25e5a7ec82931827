import { restartFaults } from '../../support/runs/restart-faults';

describe('a machine that runs restarts as often as its plan said', () => {
  it.each([1, 51, 101, 151, 201, 251])('50 changes from seed %i', async first => {
    expect(await restartFaults(first, 50)).toEqual([]);
  });
});
