import type * as z from 'zod';
import type { MachineSpec } from '../../spec';
import type { MachinePlan } from '../../reconciler/action';
import type { ObservedGuest, ObservedNode } from '../../reconciler/observed';
import { machine } from '../support/spec/machine';
import { cluster, mark, planContext, planMachine, present } from '../support/reconciler/observed';

type Fields = Parameters<typeof machine>[0];

const storage = (name: string, content = 'images,iso') => ({
  name,
  type: 'dir',
  content: content.split(','),
  shared: false,
  active: true,
  available: undefined,
});
const node: ObservedNode = {
  ...cluster().nodes[0]!,
  cpus: 8,
  bridges: ['vmbr0', 'vmbr1'],
  storages: [storage('fast'), storage('isos', 'iso')],
};
const net0 = 'virtio=BC:24:11:00:00:01,bridge=vmbr0';
const scsi0 = 'fast:vm-101-disk-0,size=8G';
const known = { mark: mark({ disks: { root: 'scsi0' }, networks: { lan: 'net0' } }) };

function plan(
  spec: Fields,
  config = {},
  fields: Partial<ObservedGuest> = {},
  facts: Record<string, unknown> = {},
): MachinePlan {
  const have = present({ net0, scsi0, ...config }, { ...known, ...fields });
  const context = planContext({ facts });
  return planMachine(machine(spec), have, cluster({ nodes: [node] }), context);
}

const PLUGGED = { hotplug: 'network,disk,memory', numa: '1', memory: '2048' };

describe('what a start would fail on is refused before anything is written', () => {
  it.each<[string, Fields, Record<string, string>, string]>([
    [
      'a bridge that is not there',
      { networks: [{ name: 'lan', bridge: 'nope' }] },
      {},
      "bridge 'nope' not found on node pve1, which has vmbr0, vmbr1",
    ],
    [
      'more vcpus than the cores that are to be',
      { cpu: { cores: 2 }, restart: 'whenNeeded' },
      { cores: '4', vcpus: '4' },
      '4 vcpus of 2',
    ],
    ['more CPUs than the node has', { cpu: { cores: 9 } }, {}, 'it has 9 CPUs, and the node has 8'],
    ['too little memory for the hotplug that it has', { memory: 512 * 2 ** 20 }, PLUGGED, '1Gi'],
    ['memory off the modules of the hotplug that it has', { memory: 1152 * 2 ** 20 }, PLUGGED, '1536Mi'],
    [
      'a storage of its disks that is away',
      { cpu: { cores: 2 } },
      { scsi1: 'away:vm-101-disk-1,size=1G' },
      "storage 'away'",
    ],
    [
      'a card of which the spec says nothing',
      { cpu: { cores: 2 } },
      { net1: 'virtio=BC:24:11:00:00:02,bridge=gone' },
      "net1 is on bridge 'gone'",
    ],
    [
      'a storage that takes no disks',
      { disks: [{ name: 'root' }, { name: 'data', size: '1Gi', storage: 'isos' }] },
      {},
      "storage 'isos' on node pve1 takes no disks",
    ],
  ])('%s', (_, spec, config, said) => {
    const { actions, refusals } = plan(spec, config);
    expect(actions).toEqual([]);
    expect(refusals.map(({ detail }) => detail).join()).toContain(said);
  });

  it('also when it waits already: it is never told as wanted', () => {
    const pending = { net0: net0.replace('vmbr0', 'nope') };
    const spec: Fields = { networks: [{ name: 'lan', bridge: 'nope' }], restart: 'never' };
    const cause = { about: 'bridge', facts: { bridge: 'nope', node: 'pve1' } };
    expect(plan(spec, {}, { pending }).refusals).toMatchObject([{ why: 'bridge-not-found', cause }]);
  });

  it('but a change that needs no start is made', () => {
    const config = { net1: 'virtio=BC:24:11:00:00:02,bridge=gone' };
    expect(plan({ tags: ['a'] }, config)).toMatchObject({ refusals: [], actions: [{ kind: 'configure' }] });
  });
});

describe('what a plan names and is not there', () => {
  it.each<[string, Fields, Record<string, unknown>, string]>([
    [
      'a pool',
      { pool: 'nope' },
      { pools: ['prod', 'lab'] },
      "pool 'nope' not found; the cluster has prod, lab.",
    ],
    [
      'an ISO file',
      { cdrom: 'isos:iso/nope.iso' },
      { 'volumes pve1/isos': ['isos:iso/debian.iso'] },
      "volume 'isos:iso/nope.iso' not found on node pve1; storage 'isos' has isos:iso/debian.iso.",
    ],
  ])('%s', (_, spec, facts, said) => {
    const { actions, refusals } = plan(spec, {}, {}, facts);
    expect(actions).toEqual([]);
    expect(refusals).toMatchObject([{ detail: said }]);
  });
});

describe('a disk in qcow2, where the storage of the root disk keeps no files,', () => {
  const planned = (...disks: NonNullable<z.input<typeof MachineSpec>['disks']>) => {
    const lvm = { ...storage('fast'), type: 'lvmthin' };
    const on = cluster({ nodes: [{ ...node, storages: [lvm] }] });
    return planMachine(machine({ disks }), present({ net0, scsi0 }, known), on, planContext());
  };

  it('is not what a raw one becomes', () => {
    const { actions, refusals } = planned({ name: 'root', format: 'qcow2' });
    expect(actions).toEqual([]);
    expect(refusals).toMatchObject([
      { why: 'disk-format', detail: expect.stringContaining('(lvmthin)') as string },
    ]);
  });

  it('is not made beside it without a storage of its own', () => {
    const { actions, refusals } = planned({ name: 'root' }, { name: 'data', size: '5Gi', format: 'qcow2' });
    expect(actions).toEqual([]);
    expect(refusals).toMatchObject([
      { why: 'disk-format', detail: expect.stringContaining('Disk "data" is to be qcow2') as string },
    ]);
  });

  it('may be an existing volume, which stays as it is, on its own storage', () => {
    const data = { name: 'data', existingVolume: 'isos:101/vm-101-disk-5.qcow2', format: 'qcow2' } as const;
    expect(planned({ name: 'root' }, data).refusals).not.toMatchObject([{ why: 'disk-format' }]);
  });
});

describe('a disk that a snapshot holds', () => {
  const snapshots = [{ name: 'before', config: { scsi0, description: 'x' } }];

  it('does not move', () => {
    const { actions, refusals } = plan(
      { disks: [{ name: 'root', storage: 'isos' }] },
      {},
      {},
      { snapshotConfigs: snapshots },
    );
    expect(actions).toEqual([]);
    expect(refusals.map(({ detail, remedy }) => `${detail} ${remedy}`).join()).toContain(
      "snapshot 'before' of VM 101 hold",
    );
  });

  it('is not deleted, also once it was detached', () => {
    const file = 'fast:vm-101-disk-5';
    const held = { snapshotConfigs: [{ name: 'before', config: { scsi1: `${file},size=1G` } }] };
    const leaving = { mark: mark({ disks: { root: 'scsi0', old: 'scsi1' }, deletedWithSpec: ['old'] }) };
    const disks = [{ name: 'root' }];
    expect(plan({ disks }, { scsi1: `${file},size=1G` }, leaving, held).refusals).toMatchObject([
      { why: 'disk-in-snapshot', remedy: expect.stringContaining('qm delsnapshot 101 before') as string },
    ]);
    const detached = { mark: mark({ disks: { root: 'scsi0' }, volumesToDelete: [file] }) };
    expect(plan({ disks }, { unused0: file }, detached, held).refusals).toHaveLength(1);
    expect(plan({ disks }, { unused0: file }, detached, { snapshotConfigs: snapshots }).refusals).toEqual([]);
  });
});
