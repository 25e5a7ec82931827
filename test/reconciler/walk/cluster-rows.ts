import { accessTo } from '../../../reconciler/config/cluster-access';
import type { ActionOf } from '../../../reconciler/action';
import { Limits } from '../../../reconciler/run/clone-limits';
import { ClusterSpec } from '../../../spec';
import { Live, runLine } from './live';
import { absent, placed, plan, problems, type Json } from './planned';
import type { Proof } from './proof';

const env = { PVE_ENDPOINT: 'https://pve', PVE_TOKEN_ID: 'a@pam!tok', PVE_TOKEN_SECRET: 'x' };
const own = { PVE_X_ENDPOINT: 'https://x', PVE_X_TOKEN_ID: 'x@pam!tok', PVE_X_TOKEN_SECRET: 'y' };

/** The way to a cluster that says this, or why there is none. */
function way(spec: Json): unknown {
  try {
    return accessTo([ClusterSpec.parse({ name: 'lab', ...spec })], { ...env, ...own })[0]?.pve;
  } catch (error) {
    return String(error);
  }
}
const ways = (...specs: Json[]): Proof => ({ differ: () => specs.map(way) });
const disk = { name: 'data', size: '1G', storage: 'local' };
const checked = (...clusters: Json[]): Proof => ({
  differ: () =>
    clusters.map(spec => problems(spec, [{ node: 'pve1', disks: [disk], networks: [{ name: 'lan' }] }])),
});

/** How many of four clones run at once. */
async function atOnce(sizes: { clonesPerTemplate: number; tasksPerNode: number }): Promise<number> {
  const limits = new Limits(sizes);
  const clone = { kind: 'clone', source: { vmid: 9000, node: 'pve1' } } as ActionOf<'clone'>;
  let [now, most] = [0, 0];
  const work = async (): Promise<void> => {
    most = Math.max(most, (now += 1));
    await new Promise(resolve => setImmediate(resolve));
    now -= 1;
  };
  await Promise.all([1, 2, 3, 4].map(() => limits.use(clone, work)));
  return most;
}

/** What a run says and makes whose cluster says this. */
const made = (taskMs: number, ...clusters: Json[]): Proof => ({
  differ: () =>
    Promise.all(
      clusters.map(spec =>
        Live.with(
          async live => {
            const machines = ['one', 'two'].map(id => ({ id, image: { blank: true }, power: 'stopped' }));
            const cluster = { name: 'lab', ...spec };
            const { code, said } = await live.people('reconcile', machines, { cluster });
            const vmids = Object.keys(live.simulator.world.guests);
            return {
              code,
              late: /still runs after/.test(said),
              made: vmids.filter(vmid => Number(vmid) >= 10_000 || code === 1),
            };
          },
          { taskMs },
        ),
      ),
    ),
});

/** What the command line answers to a desired state. */
export const refusedByPlan = (state: Json, naming?: string): Proof => ({
  ...(naming === undefined ? {} : { naming }),
  refused: async () => {
    const whole = { version: 1, owner: 'o', cluster: { name: 'lab' }, machines: [], ...state };
    const { code, said } = await runLine(['plan', '--spec', '-'], env, JSON.stringify(whole));
    return code === 2 ? said : '';
  },
});

/** How a cluster is reached, what may be used of it, and how hard it is worked. */
export const CLUSTER_ROWS: Readonly<Record<string, Proof>> = {
  name: ways({ name: 'lab' }, { name: 'x' }),
  endpoint: ways({}, { endpoint: 'https://other' }),
  endpoints: ways({}, { endpoints: ['https://one', 'https://two'] }),
  insecureSkipTlsVerify: ways({}, { insecureSkipTlsVerify: true }),
  caCertificate: ways({}, { caCertificate: '/no/such/file' }),
  clientCertificate: ways({}, { clientCertificate: '/no/such/file' }),
  fingerprint: ways({}, { fingerprint: '0A'.repeat(32) }),
  'credentials.prefix': ways({}, { credentials: { prefix: 'PVE_X_' } }),
  nodes: { differ: () => [{}, { nodes: ['pve2'] }].map(clusterSpec => placed({}, { clusterSpec })) },
  storages: checked({}, { storages: ['fast'] }),
  networks: checked({}, { networks: ['vmbr9'] }),
  networkMap: {
    differ: () =>
      [{}, { lan: 'vmbr7' }].map(networkMap =>
        plan({ networks: [{ name: 'lan' }] }, absent, { clusterSpec: { name: 'lab', networkMap } }),
      ),
  },
  'vmidRange.from': made(0, {}, { vmidRange: { from: 20_000, to: 20_010 } }),
  'vmidRange.to': made(
    0,
    { vmidRange: { from: 10_000, to: 10_001 } },
    { vmidRange: { from: 10_000, to: 10_000 } },
  ),
  defaults: refusedByPlan({ cluster: { name: 'lab', defaults: { memory: '1Gi' } } }),
  'limits.clonesPerTemplate': {
    differ: () =>
      Promise.all([1, 3].map(clonesPerTemplate => atOnce({ clonesPerTemplate, tasksPerNode: 8 }))),
  },
  'limits.clonesPerStorage': refusedByPlan({ cluster: { name: 'lab', limits: { clonesPerStorage: 2 } } }),
  'limits.tasksPerNode': {
    differ: () => Promise.all([1, 3].map(tasksPerNode => atOnce({ clonesPerTemplate: 8, tasksPerNode }))),
  },
  'limits.requests': ways({}, { limits: { requests: 2 } }),
  taskTimeout: made(2500, {}, { taskTimeout: '1s' }),
  pollFloor: ways({}, { pollFloor: '10ms' }),
  pollCeiling: ways({}, { pollCeiling: '7s' }),
};
