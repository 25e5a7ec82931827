import { adoptionFaults } from '../../support/runs/adoption-faults';
import { EVERY } from '../../support/turns';

test.each(EVERY ? [1, 1_000] : [1])(
  '50 hand-made machines of any shape, from seed %i, are adopted: only their marks are written, and nothing is left to do',
  async seed => {
    expect(await adoptionFaults(seed, 50)).toEqual([]);
  },
);

test.each([
  ['whose SMBIOS texts are no texts keeps their bytes', 205_133],
  ['that waits for a restart to get the uuid that somebody gave it keeps that one', 205_298],
])('one %s', async (_, seed) => {
  expect(await adoptionFaults(seed, 1)).toEqual([]);
});
