import { defaultWorld } from '../../../simulator';
import { applyEvent } from '../../../simulator/events/apply';
import type { CliLab } from '../../support/processes/cli';
import { lineLab, runHere } from '../../support/runs/line-lab';

let lab: CliLab;
beforeEach(async () => {
  const world = defaultWorld(8);
  for (const name of ['ubuntu-22.04', 'debian-12']) {
    for (const guest of Object.values(world.guests))
      if (guest.config['name'] === name) delete world.guests[guest.vmid];
  }
  lab = await lineLab({ world });
});
afterEach(() => lab.close());

const machine = (id: string, more: object = {}) => ({
  ...{ id, image: { blank: true }, memory: '1Gi', power: 'stopped' },
  ...more,
});

/** What `plan --explain` says of each node for the machine `web`. */
async function explained(
  more: object,
  {
    cluster = {},
    env = {},
    nodes = [],
  }: { cluster?: object; env?: Record<string, string>; nodes?: object[] },
): Promise<Record<string, string>> {
  const document = {
    ...{ version: 1, owner: 'team/lab', cluster: { name: 'lab', ...cluster }, nodes },
    machines: [machine('web', more)],
  };
  const access = { ...lab.access, ...env };
  const { stdout } = await runHere(['plan', '--spec', '-', '--explain'], access, JSON.stringify(document));
  return Object.fromEntries(
    [...stdout.matchAll(/^ {2}node (\w+): (.*)$/gm)].map(([, node = '', text = '']) => [node, text]),
  );
}

it('plan --explain says of each node why it is taken or not: limits, labels, lists, and nodes that are away', async () => {
  applyEvent(lab.simulator.sim, { kind: 'node', action: 'node-down', node: 'pve6' });
  const nodes = [
    { nodeName: 'pve1', schedulable: false },
    { nodeName: 'pve2', maxVMs: 0, labels: { zone: 'a' } },
    { nodeName: 'pve3', minFreeMemory: '10Ti', labels: { zone: 'a' } },
    { nodeName: 'pve4', labels: { zone: 'b' } },
    { nodeName: 'pve5', labels: { zone: 'a' } },
  ];
  const placement = {
    nodeSelector: { zone: 'a' },
    nodes: ['pve1', 'pve2', 'pve3', 'pve4', 'pve5', 'pve6'],
  };
  const cluster = { nodes: ['pve1', 'pve2', 'pve3', 'pve4', 'pve5', 'pve6', 'pve7'] };
  expect(await explained({ placement }, { nodes, cluster })).toEqual({
    pve5: 'taken: no other node can take it',
    pve1: 'not taken: not schedulable: nothing new is placed there',
    pve2: 'not taken: it has 0 guests, and 0 are allowed',
    pve3: 'not taken: insufficient resources on node (memory: 0 to give, 1Gi are wanted)',
    pve4: 'not taken: without the label zone=a',
    pve6: 'not taken: offline',
    pve7: 'not taken: not among placement.nodes',
    pve8: "not taken: not among the cluster's nodes",
  });
});

it('plan --explain says that PVE_NODE_SELECTOR names another node; where that is away the next best is taken', async () => {
  const env = { PVE_NODE_SELECTOR: 'pve3' };
  expect(await explained({}, { env })).toMatchObject({
    pve1: 'not taken: PVE_NODE_SELECTOR names pve3',
    pve3: 'taken: the best of those that can take it',
  });
  applyEvent(lab.simulator.sim, { kind: 'node', action: 'node-down', node: 'pve3' });
  expect(await explained({}, { env })).toMatchObject({
    pve1: 'taken: the best of those that can take it',
    pve3: 'not taken: offline',
  });
});
