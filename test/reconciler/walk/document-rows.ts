import {
  formatProblems,
  type NodeSpec,
  parseMachineClass,
  resolveMachine,
  type MachineClass,
  type Parsed,
} from '../../../spec';
import { refusedByPlan } from './cluster-rows';
import { Live } from './live';
import { placed, problems, type Json } from './planned';
import type { Proof } from './proof';

const web = { id: 'web', image: { blank: true } };

/** What a plan tells of a desired state that says this. */
const told = (...states: Json[]): Proof => ({
  differ: () =>
    Promise.all(
      states.map(state =>
        Live.with(async live => {
          await live.people('reconcile', [{ ...web, id: 'old', power: 'stopped' }], {}, ['--quiet']);
          return (await live.people('plan', [web], state)).out;
        }),
      ),
    ),
});

/** Everything that one owner wants of one cluster. */
export const STATE_ROWS: Readonly<Record<string, Proof>> = {
  $schema: { differ: () => ['schema/desired-state.json', 1].map($schema => problems({}, [], { $schema })) },
  version: { differ: () => [1, 2].map(version => problems({}, [], { version })) },
  owner: told({ machines: [{ ...web, id: 'old' }] }, { owner: 'other', machines: [{ ...web, id: 'old' }] }),
  cluster: refusedByPlan({ cluster: undefined }),
  nodes: told({}, { nodes: [{ nodeName: 'pve2', schedulable: false }] }),
  machines: told({ machines: [] }, { machines: [web] }),
  images: {
    test: 'runs/images/prepared › a template on each of some nodes: each machine is a linked clone of the one beside it',
  },
  snapshots: { test: 'runs/snapshots/wanted › is taken once, of a machine that is as wanted' },
  existing: { test: 'runs/existing › status tells them beside the machines; other verbs leave them alone' },
};

const beside = { pve3: {} };
const said = (...nodes: Json[]): Proof => ({
  differ: () => [[], nodes].map(all => placed({ memory: '1Gi' }, { beside, nodes: all as NodeSpec[] })),
});
const labelled = (...nodeNames: string[]): Proof => ({
  differ: () =>
    nodeNames.map(nodeName =>
      placed(
        { placement: { nodeSelector: { zone: 'a' } } },
        { nodes: [{ nodeName, labels: { zone: 'a' } }] },
      ),
    ),
});

/** What is said of one node. */
export const NODE_ROWS: Readonly<Record<string, Proof>> = {
  cluster: {
    differ: () =>
      ['lab', 'other'].map(cluster => problems({}, [], { nodes: [{ nodeName: 'pve1', cluster }] })),
  },
  nodeName: labelled('pve1', 'pve2'),
  maxVMs: said({ nodeName: 'pve3', maxVMs: 1 }),
  minFreeMemory: said({ nodeName: 'pve3', minFreeMemory: 9 * 2 ** 30 }),
  labels: {
    differ: () =>
      [{ zone: 'b' }, { zone: 'a' }].map(labels =>
        placed({ placement: { nodeSelector: { zone: 'a' } } }, { nodes: [{ nodeName: 'pve1', labels }] }),
      ),
  },
  schedulable: said({ nodeName: 'pve3', schedulable: false }),
};

const problemsOf = (parsed: Parsed<unknown>): string => (parsed.ok ? '' : formatProblems(parsed.problems));
const classed = (...classes: Omit<MachineClass, 'name'>[]): Proof => ({
  differ: () =>
    [{}, ...classes].map(fields =>
      resolveMachine({ ...web, disks: [{ name: 'root', size: '1Gi' }] }, { name: 'small', ...fields }),
    ),
});
const chipset = (more: Json): Proof => ({
  differ: () =>
    [{}, more].map(each =>
      resolveMachine(web, { name: 'small', machine: { type: 'q35', ...each } as never }),
    ),
});

/** A class is written into the machines that name it. Its own name is read by whoever resolves it. */
export const CLASS_ROWS: Readonly<Record<string, Proof>> = {
  name: { differ: () => ['small', 'large'].map(name => problemsOf(parseMachineClass({ name, cpus: 0 }))) },
  cpus: classed({ cpus: 2 }),
  memory: classed({ memory: 2 ** 30 }),
  machine: classed({ machine: 'q35' }),
  'machine.type': {
    differ: () =>
      ['q35', 'i440fx'].map(type => resolveMachine(web, { name: 'x', machine: { type } as never })),
  },
  'machine.viommu': chipset({ viommu: 'intel' }),
  'machine.addressBits': chipset({ addressBits: 39 }),
  'machine.enableS3': chipset({ enableS3: true }),
  'machine.enableS4': chipset({ enableS4: true }),
  bios: classed({ bios: 'uefi' }),
  onImageChange: classed({ onImageChange: 'keep' }),
  'storage.class': classed({ storage: { class: 'fast' } }),
  'storage.type': classed({ storage: { type: 'thick' } }),
};
