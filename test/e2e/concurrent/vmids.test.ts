import { desired, errorsOf, lab, type Lab } from '../../support/cluster/lab';
import { numbersBelow } from '../../support/in-parallel';
import { OwnProcesses } from '../../support/processes/own-processes';
import { brokenInvariants } from '../../../simulator/invariants/broken';
import { marked } from '../../support/cluster/end-state';
import { EVERY } from '../../support/turns';

let processes: OwnProcesses;
let cluster: Lab;
beforeAll(() => (processes = new OwnProcesses()));
afterEach(() => cluster.close());
afterAll(() => processes.end());

const machine = (id: string) => ({
  id,
  image: { blank: true },
  memory: '64Mi',
  disks: [{ name: 'root', size: '1G', storage: 'local-lvm' }],
  power: 'stopped',
});
const EACH = EVERY ? 50 : 15;
const fleets = numbersBelow(4).map(p => numbersBelow(EACH).map(m => machine(`p${p}-m${m}`)));
const ALL = 4 * EACH;

it(`gives ${ALL} machines of 4 processes ${ALL} ids, the lowest free ones tried first`, async () => {
  cluster = await lab({ taskMs: 20 });
  const runs = fleets.map(fleet => processes.fleet(cluster.simulator, fleet));
  expect(await Promise.all(runs.map(run => run.ended))).toEqual([[], [], [], []]);
  const machines = fleets.flat();
  for (const { id } of machines) expect(marked(cluster.world, id)).toHaveLength(1);
  const made = Object.values(cluster.world.guests).filter(({ vmid }) => !cluster.others.includes(vmid));
  expect(made).toHaveLength(ALL);
  // how far a race spreads them is chance; test/reconciler/vmids.test.ts has the width of each step
  expect(Math.min(...made.map(({ vmid }) => vmid))).toBe(10_000);
  expect(brokenInvariants(cluster.simulator.sim)).toEqual([]);
  const volumes = cluster.world.volumes.filter(({ vmid = 0 }) => vmid >= 10_000);
  expect(volumes).toHaveLength(ALL);
  expect(errorsOf(await cluster.run(desired(machines)))).toEqual([]);
});

it.each(['shared', 'alone'])(
  'gives 10 clones an id each, when 10 processes begin at once, %s',
  async mode => {
    cluster = await lab({ taskMs: 300 });
    const clones = numbersBelow(10).map(m => ({
      id: `c${m}`,
      image: { template: 'ubuntu-22.04' },
      memory: '1Gi',
    }));
    const runs = clones.map(clone => processes.one(cluster.simulator, clone, { PVE_RUN: mode }));
    expect((await Promise.all(runs.map(run => run.ended))).flat()).toEqual([]);
    for (const { id } of clones) expect(marked(cluster.world, id)).toHaveLength(1);
    const made = Object.values(cluster.world.guests).filter(({ vmid }) => !cluster.others.includes(vmid));
    expect(made).toHaveLength(10);
    expect(Math.min(...made.map(({ vmid }) => vmid))).toBe(10_000);
    expect(brokenInvariants(cluster.simulator.sim)).toEqual([]);
  },
);
