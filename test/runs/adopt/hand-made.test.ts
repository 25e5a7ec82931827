import { adoptionFaults } from '../../support/runs/adoption-faults';

test('hand-made machines of any shape are adopted: only their marks are written, and nothing is left to do', async () => {
  expect(await adoptionFaults(1, 50)).toEqual([]);
});

test('and fifty more, with other seeds', async () => {
  expect(await adoptionFaults(1_000, 50)).toEqual([]);
});

test('one whose SMBIOS texts are no texts keeps their bytes', async () => {
  expect(await adoptionFaults(205_133, 1)).toEqual([]);
});
