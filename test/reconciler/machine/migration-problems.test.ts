import type { MigrationFacts } from '../../../reconciler/machine/facts';
import { machine } from '../../support/spec/machine';
import { cluster, mark, planContext, planMachine, present } from '../../support/reconciler/observed';

const free: MigrationFacts = {
  allowedNodes: ['pve2'],
  lacks: {},
  localDisks: [],
  localResources: [],
  mappedResources: [],
  barredByHa: {},
  companions: [],
};
const disk = (volid: string, fields: object = {}) => ({ volid, isCd: false, isInSnapshot: false, ...fields });
const spec = machine({ node: 'pve2', pin: true });

function planWith(facts: Partial<MigrationFacts>, power: 'running' | 'stopped' = 'running') {
  const context = planContext({ facts: { migration: { ...free, ...facts } } });
  return planMachine({ ...spec, power }, present({}, { power }), cluster(), context);
}

it.each(['running', 'stopped'] as const)('a guest that is %s goes to the node where it is pinned', power => {
  const { actions, refusals } = planWith({ localDisks: [disk('lvm:vm-101-disk-0')] }, power);
  expect(refusals).toEqual([]);
  expect(actions).toEqual([{ kind: 'migrate', to: 'pve2' }]);
});

const HELD: [string, Partial<MigrationFacts>, string][] = [
  ['a device', { localResources: ['hostpci0'] }, 'hostpci0 cannot leave its node'],
  ['a mapped device', { mappedResources: ['hostpci1'] }, 'hostpci1 cannot move while it runs'],
  ['a CD', { localDisks: [disk('local:iso/a.iso', { isCd: true })] }, 'the CD local:iso/a.iso'],
  [
    'replication to another node',
    { localDisks: [disk('zfs:vm-101-disk-0')], replicatedTo: ['pve3'] },
    'replication copies its disks to pve3',
  ],
  [
    'a linked clone',
    { localDisks: [disk('dir:9/base-9-disk-0.qcow2/101/vm-101-disk-0.qcow2')] },
    'is a linked clone',
  ],
  [
    'a linked clone without a folder',
    { localDisks: [disk('zfs:base-9-disk-0/vm-101-disk-0')] },
    'is a linked clone',
  ],
  ['a snapshot', { localDisks: [disk('zfs:vm-101-disk-0', { isInSnapshot: true })] }, 'a snapshot holds'],
  [
    'a storage',
    { lacks: { pve2: 'unavailable_storages: ["fast"]' } },
    'pve2 lacks unavailable_storages: ["fast"]',
  ],
  ['an unknown reason', { allowedNodes: [] }, 'Proxmox does not allow that node'],
];
it.each(HELD)('%s holds a guest that runs', (_, facts, reason) => {
  const { actions, refusals } = planWith(facts);
  expect(actions).toEqual([]);
  expect(refusals).toMatchObject([
    { why: 'cannot-migrate', detail: expect.stringContaining(reason) as string },
  ]);
});

it.each([HELD[1]!, HELD[6]!])('%s does not hold one that is off', (_, facts) => {
  expect(planWith(facts, 'stopped').refusals).toEqual([]);
});

it('one that is off goes, with a warning that its jobs fail until they are made anew', () => {
  const replicated = { localDisks: [disk('zfs:vm-101-disk-0')], replicatedTo: ['pve3'] };
  const { actions, warnings } = planWith(replicated, 'stopped');
  expect(actions).toEqual([{ kind: 'migrate', to: 'pve2' }]);
  expect(warnings).toEqual([
    {
      about: 'replication',
      text: expect.stringMatching(
        /to pve3, and not to pve2: .* its jobs fail until they are made anew/,
      ) as string,
    },
  ]);
});

it.each(['running', 'stopped'] as const)('to the node that it is replicated to it goes: %s', power => {
  const replicated = { localDisks: [disk('zfs:vm-101-disk-0')], replicatedTo: ['pve2', 'pve3'] };
  const plan = planWith(replicated, power);
  expect(plan).toMatchObject({ actions: [{ kind: 'migrate', to: 'pve2' }], refusals: [] });
  expect(plan.warnings).toBeUndefined();
});

describe('a clone that was made for another node', () => {
  const unfinished = {
    mark: mark({ isUnfinished: true, targetNode: 'pve2', image: 'template debian' }),
    power: 'unknown' as const,
  };
  const plan = (have: ReturnType<typeof present>, where = cluster()) =>
    planMachine(machine({ image: { blank: true } }), have, where, planContext());

  it('goes there before anything else', () => {
    expect(plan(present({}, unfinished)).actions).toEqual([{ kind: 'migrate', to: 'pve2' }]);
  });
  it('is finished once it is there', () => {
    const kinds = plan(present({}, { ...unfinished, node: 'pve2' })).actions.map(({ kind }) => kind);
    expect(kinds).toEqual(['configure', 'power']);
  });
  it('waits where it is, with the reason, while that node is off', () => {
    const off = cluster({ nodes: cluster().nodes.map(node => ({ ...node, online: node.name !== 'pve2' })) });
    const { actions, refusals } = plan(present({}, unfinished), off);
    expect(actions).toEqual([]);
    expect(refusals[0]?.detail).toBe('VM 101 is on pve1 and cannot go to pve2: pve2 is offline.');
  });
});
