import { numbersBelow } from '../../support/in-parallel';
import type { Json } from '../../support/cluster/lab';
import { OwnProcesses } from '../../support/processes/own-process';
import { rivalFaults, rivalMachines } from '../../support/runs/rivals';

describe.each(Object.entries(rivalMachines))('a machine %s is one', (_, machine) => {
  it.each([2, 4])('for %i runs that begin together, beside a clone of somebody else', async runs => {
    for (const seed of numbersBelow(4)) {
      expect(await rivalFaults({ machine, runs, seed, besideClone: true })).toEqual([]);
    }
  });

  it('for 3 runs that begin together, with nobody beside them', async () => {
    for (const seed of numbersBelow(4)) {
      expect(await rivalFaults({ machine, runs: 3, seed, besideClone: false })).toEqual([]);
    }
  });
});

describe('as processes', () => {
  let processes: OwnProcesses;
  beforeAll(() => (processes = new OwnProcesses()));
  afterAll(() => processes.end());

  it.each(Object.entries(rivalMachines))('a machine %s is one, for 2 processes', async (_, machine) => {
    for (const seed of numbersBelow(2)) {
      const start = ({ simulator }: { simulator: Parameters<OwnProcesses['one']>[0] }, want: Json) =>
        processes.one(simulator, want).ended;
      expect(await rivalFaults({ machine, runs: 2, seed, besideClone: true, start })).toEqual([]);
    }
  });
});
