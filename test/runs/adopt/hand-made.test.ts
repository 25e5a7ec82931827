import { adoptionFaults } from '../../support/runs/adoption-faults';

test('hand-made machines of any shape are adopted: only their marks are written, and nothing is left to do', async () => {
  expect(await adoptionFaults(1, 50)).toEqual([]);
});

test('and fifty more, with other seeds', async () => {
  expect(await adoptionFaults(1_000, 50)).toEqual([]);
});

test.each([
  ['whose SMBIOS texts are no texts keeps their bytes', 205_133],
  ['that waits for a restart to get the uuid that somebody gave it keeps that one', 205_298],
])('one %s', async (_, seed) => {
  expect(await adoptionFaults(seed, 1)).toEqual([]);
});
