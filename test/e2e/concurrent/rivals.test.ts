import { numbersBelow } from '../../support/in-parallel';
import type { Json } from '../../support/cluster/lab';
import { OwnProcesses } from '../../support/processes/own-processes';
import { rivalFaults, rivalMachines } from '../../support/runs/rival-faults';

let processes: OwnProcesses;
beforeAll(() => (processes = new OwnProcesses()));
afterAll(() => processes.end());

it.each(Object.entries(rivalMachines))('a machine %s is one, for 2 processes', async (_, machine) => {
  for (const seed of numbersBelow(2)) {
    const start = ({ simulator }: { simulator: Parameters<OwnProcesses['one']>[0] }, want: Json) =>
      // a worker lets the runs of one machine follow each other
      processes.one(simulator, want, { PVE_RUN: 'alone' }).ended;
    expect(await rivalFaults({ machine, runs: 2, seed, besideClone: true, start })).toEqual([]);
  }
});
