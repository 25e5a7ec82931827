/**
 * The daemon of a Kubernetes: how long a change of one resource takes to reach Proxmox, and what it needs at rest. API server,
 * cluster and daemon are processes of their own. `npm run bench:kubernetes -- [machines] [changes] [seconds at rest]`
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { crds } from '../reconciler/kubernetes/crds/crds';
import { KubernetesClient, type Json } from '../reconciler/kubernetes/api/client';
import { start, type Running } from '../test/support/processes/cli';
import { startKubernetes, TOKENS, type Kubernetes } from '../test/support/kubernetes/start-kubernetes';
import { noKubernetes } from '../test/support/kubernetes/where';
import { withCopies } from './copied-machines';
import { startCluster } from './simulated-cluster.mjs';

const [COUNT = 2_000, CHANGES = 20, REST_S = 60] = process.argv.slice(2).map(Number);
const NODES = 8;
const SPACE = 'team-a';
const SOURCE = 'bench';
const AT_ONCE = 16;
const HEAP_MIB = 176;
const MACHINES = `/apis/vitistack.io/v1alpha1/namespaces/${SPACE}/machines`;
const folder = mkdtempSync(join(tmpdir(), 'bench-'));

type Access = Record<string, string>;

const machine = (index: number): Json => ({
  apiVersion: 'vitistack.io/v1alpha1',
  kind: 'Machine',
  metadata: { name: `m${index}`, namespace: SPACE },
  spec: {
    cluster: 'lab',
    image: { blank: true },
    cpu: { cores: 2 },
    memory: '64Mi',
    disks: [{ name: 'root', size: '1G', storage: 'local-lvm' }],
    networks: [{ name: 'lan', ipv4: 'dhcp' }],
  },
});

function clusterOf(access: Access): Json[] {
  const [username, tokenID] = String(access['PVE_TOKEN_ID']).split('!');
  const tokenSecret = { secretRef: { name: 'lab-access', key: 'token-secret' } };
  return [
    {
      ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'lab-access', namespace: SPACE } },
      stringData: { 'token-secret': access['PVE_TOKEN_SECRET'] },
    },
    {
      ...{ apiVersion: 'vitistack.io/v1alpha1', kind: 'ProxmoxCluster' },
      metadata: { name: 'lab', namespace: SPACE },
      spec: {
        endpoint: access['PVE_ENDPOINT'],
        caCertificate: readFileSync(String(access['PVE_CA_BUNDLE']), 'utf8'),
        limits: { requests: 32 },
        credentials: { username, tokenID, tokenSecret },
      },
    },
  ];
}

/** The file of a simulator's state with all machines: the program makes one, the others are copies of it. */
async function stateFile(): Promise<string> {
  const file = join(folder, 'state.json');
  const { access, end } = await startCluster(['--nodes', String(NODES), '--state', file]);
  const documents = join(folder, 'first.yaml');
  writeFileSync(
    documents,
    [...clusterOf(access), machine(0)].map(each => JSON.stringify(each)).join('\n---\n'),
  );
  const args = ['dist/reconciler.cjs', 'reconcile', '--manifests', documents];
  // as the daemon marks its guests: to take over thousands takes minutes
  const env = { PATH: process.env['PATH'] ?? '', PVE_SOURCE: `kubernetes:${SOURCE}` };
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  await end();
  if (status !== 0) throw new Error(`reconcile ended with ${status}:\n${stderr}`);
  const state = JSON.parse(readFileSync(file, 'utf8'));
  const world = withCopies(state.world, COUNT, NODES, `manifests/lab/${SPACE}`);
  writeFileSync(file, JSON.stringify({ ...state, world }));
  return file;
}

async function fill(kubernetes: Kubernetes, client: KubernetesClient, access: Access): Promise<void> {
  const { done } = kubernetes;
  done(['apply', '--server-side', '-f', '-'], [...crds().values()].join('---\n'));
  done(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=60s']);
  done(['apply', '-f', 'kubernetes/rbac.yaml']);
  done(['create', 'namespace', SPACE]);
  done([
    ...['create', 'rolebinding', 'secrets', '-n', SPACE, '--clusterrole=pve-reconciler-secrets'],
    '--serviceaccount=pve-reconciler:pve-reconciler',
  ]);
  done(
    ['apply', '-f', '-'],
    clusterOf(access)
      .map(each => JSON.stringify(each))
      .join('\n---\n'),
  );
  const left = Array.from({ length: COUNT }, (_, index) => index);
  const work = async (): Promise<void> => {
    for (let index = left.pop(); index !== undefined; index = left.pop())
      await client.json(MACHINES, { method: 'POST', body: machine(index) });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

interface Shown {
  metadata: { name: string };
  status?: { vmid: number; node: string; conditions: { type: string; status: string }[] };
}

async function untilAllReady(client: KubernetesClient): Promise<void> {
  for (;;) {
    const { items } = await client.json(`${MACHINES}?resourceVersion=0`);
    const ready = (items as Shown[]).filter(({ status }) =>
      status?.conditions.some(each => each.type === 'Ready' && each.status === 'True'),
    );
    if (ready.length === COUNT) return;
    await sleep(3_000);
  }
}

/** Asks the cluster as a program of the bench's own does. */
function asker(access: Access) {
  const agent = new Agent({ keepAlive: true, ca: readFileSync(String(access['PVE_CA_BUNDLE'])) });
  const authorization = `PVEAPIToken=${access['PVE_TOKEN_ID']}=${access['PVE_TOKEN_SECRET']}`;
  return (method: string, path: string, body = ''): Promise<string> =>
    new Promise((resolve, reject) => {
      const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' };
      const asked = request(`${access['PVE_ENDPOINT']}/api2/json${path}`, { agent, method, headers });
      asked.once('error', reject).once('response', response => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => resolve(text));
      });
      asked.end(body);
    });
}

const median = (all: number[]): number => [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? NaN;

async function measureChanges(client: KubernetesClient, access: Access): Promise<string[]> {
  const ask = asker(access);
  const took: number[] = [];
  const floor: number[] = [];
  for (let k = 0; k < CHANGES; k += 1) {
    const name = `m${Math.floor((k * COUNT) / CHANGES)}`;
    const { status } = (await client.json(`${MACHINES}/${name}`)) as unknown as Shown;
    const path = `/nodes/${status?.node}/qemu/${status?.vmid}/config`;
    const body = { spec: { tags: [`changed-${k}`] } };
    const from = performance.now();
    await client.json(`${MACHINES}/${name}`, { method: 'PATCH', body });
    while (!(await ask('GET', path)).includes(`changed-${k}`)) await sleep(10);
    took.push(performance.now() - from);
    console.error(`change ${k + 1}: ${(took.at(-1) ?? 0).toFixed(0)} ms`);
    // what nobody can do without: the change in Kubernetes, and a write of Proxmox
    const begun = performance.now();
    await client.json(`${MACHINES}/${name}`, {
      method: 'PATCH',
      body: { metadata: { labels: { k: String(k) } } },
    });
    await ask('GET', path);
    await ask('PUT', path, 'onboot=0');
    floor.push(performance.now() - begun);
    await sleep(2_000);
  }
  const s = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
  return [s(median(took)), s(Math.max(...took)), s(median(floor))];
}

function processorSeconds(pid: number): number {
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const fields = rest.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function measureRest(kubernetes: Kubernetes, daemon: Running): Promise<string[]> {
  const pid = daemon.child.pid ?? 0;
  await sleep(35_000);
  const before = kubernetes.requests().length;
  const [from, begun] = [processorSeconds(pid), performance.now()];
  await sleep(REST_S * 1_000);
  const share = (processorSeconds(pid) - from) / ((performance.now() - begun) / 1000);
  const asked = kubernetes
    .requests()
    .slice(before)
    .filter(({ line }) => !line.startsWith('watch '));
  for (const { line } of asked.slice(0, 5)) console.error(line);
  const memory = (key: string): number =>
    Number(new RegExp(`${key}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  return [
    String(asked.length),
    `${memory('VmRSS').toFixed(0)} MiB`,
    `${memory('VmHWM').toFixed(0)} MiB`,
    `${(share * 100).toFixed(1)} %`,
  ];
}

async function main(): Promise<void> {
  const why = noKubernetes();
  if (why !== undefined) throw new Error(why);
  const { access, end } = await startCluster(['--state', await stateFile()]);
  const kubernetes = await startKubernetes();
  const client = new KubernetesClient({
    ...{ server: kubernetes.server, ca: kubernetes.ca(), token: () => TOKENS.admin },
  });
  let daemon: Running | undefined;
  try {
    await fill(kubernetes, client, access);
    const begun = performance.now();
    daemon = start(['run', '--kubernetes', '--namespace', SPACE, '--source', SOURCE], {
      ...{ KUBECONFIG: kubernetes.configOf('daemon'), NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}` },
      ...{ METRICS_BIND_ADDRESS: '0', HEALTH_PROBE_BIND_ADDRESS: '0', STATUS_BIND_ADDRESS: '0' },
    });
    await untilAllReady(client);
    const readyAfter = ((performance.now() - begun) / 1000).toFixed(0);
    console.log(
      `${COUNT} machines, ${NODES} nodes, load ${loadavg()[0]?.toFixed(1)}, all Ready after ${readyAfter} s\n`,
    );
    const cells = [...(await measureChanges(client, access)), ...(await measureRest(kubernetes, daemon))];
    console.log(
      '| a change, median | longest | floor | requests at rest | resident | at most | of one core |',
    );
    console.log('| ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
    console.log(`| ${cells.join(' | ')} |`);
  } finally {
    if (daemon?.child.exitCode !== null) console.error(daemon?.stderr());
    daemon?.child.kill();
    client.close();
    await Promise.all([end(), kubernetes.close()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

void main();
