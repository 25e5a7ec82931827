import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../../simulator/world';
import { writes } from '../../support/cluster/end-state';
import type { Lab } from '../../support/cluster/lab';
import { lab, labWorld } from '../../support/cluster/lab';

const machine = {
  id: 'web',
  node: 'pve1',
  vmid: 10_000,
  image: { blank: true },
  memory: '1Gi',
  disks: [{ name: 'root', size: '1G', storage: 'shared' }],
};
const pinned = { ...machine, node: 'pve2', pin: true };
const SID = 'vm:10000';

let cluster: Lab;
beforeEach(async () => {
  cluster = await lab({ world: labWorld(), timeScale: 100 });
  expect(await cluster.bring(machine)).toEqual([]);
  cluster.world.guests[10_000]!.system = { kind: 'linux', bootMs: 0, agent: true, obeysShutdown: true };
  await joined(SID);
  cluster.simulator.ledger.reset();
});
afterEach(() => cluster.close());

const nodeOf = (vmid: number) => cluster.world.guests[vmid]?.node;

async function joined(sid: string): Promise<void> {
  const { resources, services } = cluster.world.ha;
  resources[sid] = { sid, state: 'started', settings: {} };
  while (services[sid]?.state !== 'started') await sleep(5);
}

function rule(type: 'node-affinity' | 'resource-affinity', settings: Config): void {
  cluster.world.ha.rules['theirs'] = { type, settings };
}

async function refusal(): Promise<string> {
  const errors = await cluster.bring(pinned);
  expect(writes(cluster.simulator)).toEqual([]);
  expect(nodeOf(10_000)).toBe('pve1');
  return errors.join();
}

describe('a machine is not moved where HA takes it back from:', () => {
  it('a strict rule names other nodes', async () => {
    rule('node-affinity', { resources: SID, nodes: 'pve1,pve3', strict: '1' });
    expect(await refusal()).toMatch(
      /HA's rule 'theirs' lets it be on pve1 or pve3 only, and HA takes it back/,
    );
  });

  it('also where HA takes nothing back but from such nodes', async () => {
    cluster.world.ha.resources[SID]!.settings['failback'] = '0';
    rule('node-affinity', { resources: SID, nodes: 'pve1', strict: '1' });
    expect(await refusal()).toMatch(/HA's rule 'theirs' lets it be on pve1 only/);
  });

  it.each(['pve1', 'pve1:2,pve2:1'])('a rule prefers another node: %s', async nodes => {
    rule('node-affinity', { resources: SID, nodes });
    expect(await refusal()).toMatch(/HA's rule 'theirs' prefers pve1, and HA takes it back there/);
  });
});

it.each([
  ['lets it be on pve1 only', { restricted: '1', nofailback: '1' }],
  ['prefers pve1', {}],
])('nor is it in Proxmox VE 8, where its group %s', async (words, settings) => {
  cluster.world.version = { release: '8.4', version: '8.4.21' };
  cluster.world.ha.groups = { blue: { nodes: 'pve1', ...settings } };
  cluster.world.ha.resources[SID]!.settings['group'] = 'blue';
  expect(await refusal()).toContain(`HA's group 'blue' ${words}`);
});

it.each([
  ['the rule names its node as high as any', { nodes: 'pve1,pve2', strict: '1' }, {}],
  ['the rule is off', { nodes: 'pve1', disable: '1' }, {}],
  ['HA takes nothing back', { nodes: 'pve1' }, { failback: '0' }],
])('it is moved, and stays, where %s', async (_, settings, ofResource) => {
  Object.assign(cluster.world.ha.resources[SID]!.settings, ofResource);
  rule('node-affinity', { resources: SID, ...settings });
  expect(await cluster.bring(pinned)).toEqual([]);
  expect(nodeOf(10_000)).toBe('pve2');
  expect(await cluster.bring(pinned)).toEqual([]);
  expect(writes(cluster.simulator)).toHaveLength(1);
});

describe('with a guest of somebody else', () => {
  beforeEach(async () => {
    const theirs = cluster.world.guests[100]!;
    Object.assign(theirs, { node: 'pve1', system: { kind: 'linux', bootMs: 0 } });
    delete theirs.config['scsi0'];
    await joined('vm:100');
  });

  it('that HA moves along, that one is named before', async () => {
    rule('resource-affinity', { resources: `${SID},vm:100`, affinity: 'positive' });
    expect(await cluster.bring(pinned)).toEqual([]);
    const said = cluster.events.flatMap(event => (event.kind === 'warning' ? [event.text] : []));
    expect(said).toContainEqual('a rule of HA keeps it together with vm:100: HA moves that one to pve2 too.');
  });

  it('whose nodes a rule says, and that must be with it, it stays', async () => {
    rule('resource-affinity', { resources: `${SID},vm:100`, affinity: 'positive' });
    const settings = { resources: 'vm:100', nodes: 'pve1', strict: '1' };
    cluster.world.ha.rules['other'] = { type: 'node-affinity', settings };
    expect(await refusal()).toMatch(/HA's rule 'other' lets it be on pve1 only/);
  });

  it('that must not be with it, the refusal names that one', async () => {
    cluster.world.guests[100]!.node = cluster.world.ha.services['vm:100']!.node = 'pve2';
    rule('resource-affinity', { resources: `${SID},vm:100`, affinity: 'negative' });
    expect(await refusal()).toMatch(
      /cannot go to pve2: vm:100 is there, and a rule of HA keeps the two apart/,
    );
  });
});
