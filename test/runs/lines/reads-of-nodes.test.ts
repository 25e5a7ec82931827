import { lineLab } from '../../support/runs/line-lab';

test('however many machines are new, each node is read once', async () => {
  const lab = await lineLab();
  const machines = ['a', 'b', 'c', 'd'].map(id => ({ id, image: { blank: true }, power: 'stopped' }));
  const { code, stdout } = await lab.people('plan', machines);
  const reads = lab.simulator.ledger
    .entries()
    .map(({ path }) => path)
    .filter(path => /^\/nodes\/[^/]+\/(network|storage|qemu)$/.test(path));
  await lab.close();
  expect({ code, told: stdout.includes('4 to change') }).toEqual({ code: 0, told: true });
  expect(reads.sort()).toEqual([...new Set(reads)].sort());
  expect(reads).toContain('/nodes/pve1/network');
});
