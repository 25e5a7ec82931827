import { accessTo } from '../../reconciler/config';
import type { Action } from '../../reconciler/action';
import { Limits } from '../../reconciler/limits';
import type { ObservedMachine } from '../../reconciler/observed';
import { planMachine } from '../../reconciler/plan';
import { ClusterSpec, formatProblems, parseDesiredState } from '../../spec';
import { machine } from './machine';
import { cluster, planContext, present } from './observed';

type Json = Record<string, unknown>;

/** What shows that a field works: results that must differ, or a test that runs it. */
export type Proof = { differ: () => unknown[] | Promise<unknown[]> } | { test: string };

const absent: ObservedMachine = { kind: 'absent' };
const plan = (fields: Json, have: ObservedMachine = absent, context: Json = {}, there = cluster()): unknown =>
  planMachine(machine(fields), have, there, planContext(context));
const plans = (...fields: Json[]): Proof => ({ differ: () => fields.map(each => plan(each)) });
const on = (have: ObservedMachine, ...fields: Json[]): Proof => ({
  differ: () => fields.map(each => plan(each, have)),
});
const parses = (...machines: Json[]): Proof => ({ differ: () => machines.map(each => problems({}, [each])) });
const by = (test: string): Proof => ({ test: `test/${test}.test.ts` });

function problems(spec: Json, machines: Json[]): string {
  const state = { version: 1, owner: 'o', cluster: { name: 'lab', ...spec }, machines };
  const parsed = parseDesiredState({
    ...state,
    machines: machines.map(each => ({ id: 'web', image: { blank: true }, ...each })),
  });
  return parsed.ok ? '' : formatProblems(parsed.problems);
}

const disk = (more: Json = {}): Json => ({ name: 'data', size: '1G', storage: 'slow', ...more });
const disks = (...more: Json[]): Json => ({ disks: more.map(disk) });
const PLACED = by('reconciler/placement');
// a kind of storage that cannot preallocate
const stored = cluster({
  nodes: cluster().nodes.map(node => ({
    ...node,
    storages: [
      {
        name: 'slow',
        active: true,
        content: ['images'],
        type: 'lvmthin',
        shared: false,
        available: 2 ** 40,
      },
    ],
  })),
});
const running = present();
const onDisk = present({ scsi0: 'slow:vm-101-disk-0,size=1G' });

/** Every field that says how we act: what shows that it does. */
export const MACHINE_PROOFS: Readonly<Record<string, Proof>> = {
  id: plans({ id: 'web' }, { id: 'db' }),
  formerIds: by('e2e/events-identity'),
  cluster: parses({ cluster: 'lab' }, { cluster: 'other' }),
  vmid: on(running, { vmid: 101 }, { vmid: 102 }),
  adopt: by('e2e/module'),
  node: on(running, { node: 'pve1', pin: true }, { node: 'pve2', pin: true }),
  pin: on(running, { node: 'pve2' }, { node: 'pve2', pin: true }),
  'placement.nodes': PLACED,
  'placement.nodeSelector': PLACED,
  'placement.antiAffinity[].key': PLACED,
  'placement.antiAffinity[].operator': PLACED,
  'placement.antiAffinity[].values': PLACED,
  'placement.antiAffinity[].mode': PLACED,
  'placement.strategy': PLACED,
  'placement.maxVMsPerNode': PLACED,
  'placement.minFreeMemory': PLACED,
  'image.template': on(present({}, {}), { image: { blank: true } }, { image: { template: 9000 } }),
  'image.template.tag': by('e2e/module'),
  'image.machine': by('e2e/placement'),
  'image.iso': plans({ image: { blank: true } }, { image: { iso: 'local:iso/a.iso' } }),
  'image.url': plans({ image: { blank: true } }, { image: { url: 'https://example.com/a.img' } }),
  'image.blank': by('e2e/cli'),
  'image.clone': by('reconciler/plan-birth'),
  'image.snapshot': by('reconciler/plan-birth'),
  'image.checksum': parses({}, { image: { blank: true, checksum: `md5:${'0'.repeat(32)}` } }),
  'image.storage': parses({}, { image: { blank: true, storage: 'slow' } }),
  labels: PLACED,
  rebuildOn: on(
    running,
    { image: { iso: 'local:iso/a.iso' } },
    { image: { iso: 'local:iso/a.iso' }, rebuildOn: ['image'] },
  ),
  mode: by('e2e/mode'),
  power: on(running, { power: 'running' }, { power: 'stopped' }),
  shutdownTimeout: by('e2e/power-words'),
  forceStop: by('e2e/power-words'),
  restart: by('e2e/never-off'),
  'timeouts.create': by('e2e/waits'),
  'timeouts.apply': by('e2e/waits'),
  'timeouts.destroy': by('e2e/waits'),
  'timeouts.agent': by('e2e/cli-wait-and-place'),
  waitFor: by('e2e/cli-wait-and-place'),
  'waitFor.address.family': by('e2e/cli-wait-and-place'),
  'waitFor.address.interface': by('reconciler/outputs'),
  'waitFor.address.cidr': by('e2e/cli-wait-and-place'),
  clear: on(present({ balloon: '512' }), {}, { clear: ['balloon'] }),
  'cpu.threadsPerCore': parses({ cpu: { cores: 3 } }, { cpu: { cores: 3, threadsPerCore: 2 } }),
  'cloudInit.passwordFrom.environment': by('e2e/cli'),
  'cloudInit.passwordFrom.file': by('e2e/bad-input-secrets'),
  'cloudInit.passwordVersion': by('reconciler/plan-devices'),
  'disks[].name': on(onDisk, disks({ name: 'data' }), disks({ name: 'root' })),
  'disks[].slot': plans(disks({ slot: 'scsi1' }), disks({ slot: 'scsi2' })),
  'disks[].type': plans(disks({}), disks({ type: 'virtio' })),
  'disks[].format': plans(disks({}), disks({ format: 'qcow2' })),
  'disks[].allocation': {
    differ: () => [{}, { allocation: 'thick' }].map(more => plan(disks(more), absent, {}, stored)),
  },
  'disks[].existingVolume': plans(disks({}), {
    disks: [{ name: 'data', existingVolume: 'slow:vm-9-disk-0' }],
  }),
  'disks[].onRemove': by('reconciler/machine/convergence'),
  'networks[].name': plans({ networks: [{ name: 'lan' }] }, { networks: [{ name: 'dmz' }] }),
};

const env = { PVE_ENDPOINT: 'https://pve', PVE_TOKEN_ID: 'a@pam!tok', PVE_TOKEN_SECRET: 'x' };
const own = { PVE_X_ENDPOINT: 'https://x', PVE_X_TOKEN_ID: 'x@pam!tok', PVE_X_TOKEN_SECRET: 'y' };
const way = (spec: Json): unknown => {
  try {
    return accessTo([ClusterSpec.parse({ name: 'lab', ...spec })], { ...env, ...own })[0]?.pve;
  } catch (error) {
    return String(error);
  }
};
const ways = (...specs: Json[]): Proof => ({ differ: () => specs.map(way) });
const states = (...clusters: Json[]): Proof => ({
  differ: () =>
    clusters.map(spec => problems(spec, [{ node: 'pve1', ...disks({}), networks: [{ name: 'lan' }] }])),
});

/** How many of four clones run at once. */
async function atOnce(sizes: { clonesPerTemplate: number; tasksPerNode: number }): Promise<number> {
  const limits = new Limits(sizes);
  const clone = { kind: 'clone', source: { vmid: 9000, node: 'pve1' } } as Action;
  let [now, most] = [0, 0];
  const work = async (): Promise<void> => {
    most = Math.max(most, (now += 1));
    await new Promise(resolve => setImmediate(resolve));
    now -= 1;
  };
  await Promise.all([1, 2, 3, 4].map(() => limits.use(clone, work)));
  return most;
}

export const CLUSTER_PROOFS: Readonly<Record<string, Proof>> = {
  name: by('e2e/cli-endpoints'),
  endpoint: ways({}, { endpoint: 'https://other' }),
  endpoints: ways({}, { endpoints: ['https://one', 'https://two'] }),
  insecureSkipTlsVerify: ways({}, { insecureSkipTlsVerify: true }),
  caCertificate: ways({}, { caCertificate: '/no/such/file' }),
  clientCertificate: ways({}, { clientCertificate: '/no/such/file' }),
  fingerprint: ways({}, { fingerprint: '0A'.repeat(32) }),
  'credentials.prefix': ways({}, { credentials: { prefix: 'PVE_X_' } }),
  nodes: states({}, { nodes: ['pve2'] }),
  storages: states({}, { storages: ['fast'] }),
  networks: states({}, { networks: ['vmbr9'] }),
  networkMap: {
    differ: () =>
      [{}, { lan: 'vmbr7' }].map(networkMap =>
        plan({ networks: [{ name: 'lan' }] }, absent, { clusterSpec: { name: 'lab', networkMap } }),
      ),
  },
  'vmidRange.from': by('e2e/placement'),
  'vmidRange.to': by('e2e/placement'),
  defaults: by('e2e/wrong-input'),
  'limits.clonesPerTemplate': {
    differ: () =>
      Promise.all([1, 3].map(clonesPerTemplate => atOnce({ clonesPerTemplate, tasksPerNode: 8 }))),
  },
  'limits.clonesPerStorage': by('e2e/wrong-input'),
  'limits.tasksPerNode': {
    differ: () => Promise.all([1, 3].map(tasksPerNode => atOnce({ clonesPerTemplate: 8, tasksPerNode }))),
  },
  'limits.requests': ways({}, { limits: { requests: 2 } }),
  taskTimeout: by('e2e/module'),
  pollFloor: ways({}, { pollFloor: '10ms' }),
  pollCeiling: ways({}, { pollCeiling: '7s' }),
};

export const NODE_PROOFS: Readonly<Record<string, Proof>> = {
  cluster: {
    differ: () =>
      ['lab', 'other'].map(named => {
        const nodes = [{ nodeName: 'pve1', cluster: named }];
        const parsed = parseDesiredState({
          version: 1,
          owner: 'o',
          cluster: { name: 'lab' },
          machines: [],
          nodes,
        });
        return parsed.ok;
      }),
  },
  nodeName: PLACED,
  maxVMs: PLACED,
  minFreeMemory: PLACED,
  labels: PLACED,
  schedulable: PLACED,
};
