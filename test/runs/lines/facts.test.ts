import { lineLab } from '../../support/runs/line-lab';

test('facts, without a spec: what waits for a restart by its field, and the snapshots', async () => {
  const lab = await lineLab();
  const web = { id: 'web', image: { blank: true }, cpu: { cores: 2 } };
  await lab.apply(web);
  const more = { ...web, cpu: { cores: 3 } };
  await lab.apply(more);
  const [guest] = lab.guests('web');
  const taken = { config: { ...guest?.config }, description: 'before the upgrade' };
  if (guest)
    guest.snapshots = {
      second: { ...taken, parent: 'first', snaptime: 2 },
      first: { ...taken, snaptime: 1 },
    };

  lab.simulator.ledger.reset();
  const { code, told } = await lab.facts('web');
  const reads = lab.simulator.ledger.entries().filter(({ path }) => path.endsWith('/snapshot'));
  await lab.close();

  expect(code).toBe(0);
  expect(JSON.parse(told['pendingChanges'] ?? '')).toEqual([{ field: 'cpu.cores', from: '2', to: '3' }]);
  expect(JSON.parse(told['snapshots'] ?? '')).toEqual([
    { name: 'first', description: 'before the upgrade', includesMemory: false },
    { name: 'second', parent: 'first', description: 'before the upgrade', includesMemory: false },
  ]);
  expect(reads).toHaveLength(1);
});
