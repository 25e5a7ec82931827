import type { Json } from '../support/cluster/lab';
import { runningWeb } from '../support/runs/running-web';

let web: Awaited<ReturnType<typeof runningWeb>>;
afterEach(() => web.cluster.close());

const LEAVING: Json = { ha: undefined, clear: ['ha'] };
const asked = (): boolean =>
  web.cluster.simulator.ledger.entries().some(({ route }) => route === '/cluster/ha/rules');
const lost = () =>
  web.cluster.events.flatMap(event =>
    event.kind === 'planned' && event.plan.losses ? [event.plan.losses] : [],
  );

test('a machine that leaves HA loses its places in rules, and the plan names each', async () => {
  web = await runningWeb({ ha: {} });
  const rules = {
    apart: ruleOf('resource-affinity', { affinity: 'negative', resources: 'vm:10000,vm:100' }),
    home: ruleOf('node-affinity', { nodes: 'pve1', resources: 'vm:10000' }),
    other: ruleOf('node-affinity', { nodes: 'pve1', resources: 'vm:100' }),
  };
  Object.assign(web.cluster.world.ha, { rules });
  web.cluster.events.length = 0;
  expect(await web.change(LEAVING)).toEqual([]);
  const entries = ['place in HA rule apart', 'HA rule home as a whole (it names no other)'];
  expect(lost()).toEqual([{ volumes: [], snapshots: [], entries }]);
  expect(Object.keys(web.cluster.world.ha.rules)).toEqual(['apart', 'other']);
  expect(asked()).toBe(true);
});

test('one that no rule names loses nothing, and one that stays asks for none', async () => {
  web = await runningWeb({ ha: {} });
  expect(await web.change({ ha: { maxRestart: 3 } })).toEqual([]);
  expect(asked()).toBe(false);
  expect(await web.change(LEAVING)).toEqual([]);
  expect(lost()).toEqual([]);
});

test('in Proxmox VE 8 it loses its group, and there are no rules to ask for', async () => {
  web = await runningWeb({ ha: {} });
  const { world } = web.cluster;
  world.version = { release: '8.4', version: '8.4.21' };
  world.ha.groups = { blue: { nodes: 'pve1' } };
  world.ha.resources['vm:10000']!.settings['group'] = 'blue';
  expect(await web.change(LEAVING)).toEqual([]);
  expect(lost()).toEqual([{ volumes: [], snapshots: [], entries: ['place in HA group blue'] }]);
});

function ruleOf(type: string, settings: Record<string, string>) {
  return { type, settings };
}

test('where its rules cannot be read, the plan warns of that, and it leaves all the same', async () => {
  web = await runningWeb({ ha: {} });
  const effect = { kind: 'answer', status: 500, text: 'cannot read rules' } as const;
  web.cluster.simulator.faults.add({ path: '/cluster/ha/rules', methods: ['GET'], effect });
  web.cluster.events.length = 0;
  expect(await web.change(LEAVING)).toEqual([]);
  const [plan] = web.cluster.events.flatMap(event => (event.kind === 'planned' ? [event.plan] : []));
  expect(plan?.warnings?.map(({ text }) => text)).toEqual([
    expect.stringMatching(/its places in the rules of HA, which could not be read: .*cannot read rules/),
  ]);
  expect(web.cluster.world.ha.resources).toEqual({});
});
