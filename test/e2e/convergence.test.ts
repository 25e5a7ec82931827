import { convergenceFaults } from '../support/convergence';

describe('a machine that had one spec and gets another: the next run changes nothing', () => {
  it.each([1, 51, 101, 151, 201, 251])('50 pairs from seed %i', async first => {
    expect(await convergenceFaults(first, 50)).toEqual([]);
  });
});
