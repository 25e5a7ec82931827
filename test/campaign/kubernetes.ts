/**
 * The daemon of a Kubernetes while all around it is killed: `npm run test:campaign:kubernetes -- [MINUTES] [SEED] [MACHINES]`.
 * Every 5 s one of daemon, API server, etcd and cluster is killed, in turn, and started again; meanwhile machines are changed,
 * deleted and made anew. At the end there is one guest for each machine, as it is wanted, and no other; and none was ever made
 * twice, by the tasks of the cluster and by what was there in between. The cluster is ended so that it keeps what it has
 * answered: Proxmox does not lose that either. Its tasks fail.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { crds } from '../../reconciler/kubernetes/crds/crds';
import { KubernetesClient } from '../../reconciler/kubernetes/api/client';
import { startPrivateCluster, type PrivateCluster } from '../support/kubernetes/private-cluster';
import { conditionOf, machine, type Shown } from '../support/kubernetes/kubernetes-lab';
import { startKubernetes, TOKENS, type Kubernetes } from '../support/kubernetes/start-kubernetes';
import { start, type Running } from '../support/processes/cli';
import { dice } from '../support/random/dice';

const [MINUTES = 10, SEED = Date.now() % 10_000, MACHINES = 200] = process.argv.slice(2).map(Number);
const SPACE = 'team-a';
const PATH = `/apis/vitistack.io/v1alpha1/namespaces/${SPACE}/machines`;
const KILL_MS = 5_000;
const CHANGE_MS = 300;

const roll = dice(SEED);
/** What is wanted of each machine, by name; absent: nothing. */
const wanted = new Map<string, { tags: string[]; powerState: string }>();
let changes = 0;

async function main(): Promise<void> {
  console.log(`kubernetes: ${MACHINES} machines, ${MINUTES} min from seed ${SEED}`);
  const folder = mkdtempSync(join(tmpdir(), 'campaign-'));
  const cluster = await startPrivateCluster(folder);
  const kubernetes = await startKubernetes();
  const { server } = kubernetes;
  const client = new KubernetesClient({ server, ca: kubernetes.ca(), token: () => TOKENS.admin });
  let daemon: Running | undefined;
  const begin = (): Running => (daemon = startDaemon(kubernetes));
  try {
    prepare(kubernetes, cluster);
    for (let index = 0; index < MACHINES; index += 1) await ask(client, `m${index}`);
    begin();
    await played(client, { kubernetes, cluster, killDaemon: () => killed(daemon).then(begin) });
    const faults = [...(await faultsAtEnd(client, kubernetes, cluster)), ...cluster.doubled()];
    console.log(`kubernetes: ${changes} changes, ${wanted.size} machines, ${faults.length} faults`);
    faults.slice(0, 20).forEach(fault => console.error(fault));
    if (faults.length > 0) process.exitCode = 1;
    if (faults.length > 0) console.error(daemon?.stderr().split('\n').slice(-60).join('\n'));
  } finally {
    await killed(daemon);
    client.close();
    await Promise.all([kubernetes.close(), cluster.close()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

function prepare({ done }: Kubernetes, cluster: PrivateCluster): void {
  done(['apply', '--server-side', '-f', '-'], [...crds().values()].join('---\n'));
  done(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=60s']);
  done(['apply', '-f', 'kubernetes/rbac.yaml']);
  done(['create', 'namespace', SPACE]);
  done([
    ...['create', 'rolebinding', 'secrets', '-n', SPACE, '--clusterrole=pve-reconciler-secrets'],
    '--serviceaccount=pve-reconciler:pve-reconciler',
  ]);
  done(['apply', '-f', '-'], cluster.documents.map(each => JSON.stringify(each)).join('\n---\n'));
}

function startDaemon(kubernetes: Kubernetes): Running {
  return start(['run', '--kubernetes', '--namespace', SPACE], {
    ...{
      KUBECONFIG: kubernetes.configOf('daemon'),
      RECONCILE_INTERVAL: '5s',
      MAX_CONCURRENT_RECONCILES: '10',
    },
    ...{ METRICS_BIND_ADDRESS: '0', HEALTH_PROBE_BIND_ADDRESS: '0', STATUS_BIND_ADDRESS: '0' },
  });
}

async function killed(daemon: Running | undefined): Promise<void> {
  if (daemon?.child.exitCode === 1)
    console.error(`the daemon had ended by itself: ${daemon.stderr().slice(-2_000)}`);
  daemon?.child.kill('SIGKILL');
  await daemon?.ended;
}

/** Asks for a machine as it is to be from now on. An answer that does not come is asked for again at the end. */
async function ask(client: KubernetesClient, name: string): Promise<void> {
  changes += 1;
  const known = wanted.get(name);
  const spec = { tags: [`t${changes}`], powerState: roll(5) > 0 ? 'On' : 'Off' };
  wanted.set(name, spec);
  await send(client, name, known === undefined);
}

async function send(client: KubernetesClient, name: string, isNew: boolean): Promise<void> {
  const spec = { ...wanted.get(name) };
  const body = isNew ? machine(name, { node: undefined, ...spec }) : { spec };
  const sent = { method: isNew ? ('POST' as const) : ('PATCH' as const), body, timeoutMs: 3_000 };
  await client.json(isNew ? PATH : `${PATH}/${name}`, sent).catch(() => undefined);
}

function remove({ kubectl }: Kubernetes, name: string): void {
  changes += 1;
  wanted.delete(name);
  const waitsNot = ['--wait=false', '--ignore-not-found', '--request-timeout=3s'];
  kubectl(['delete', 'machine', name, '-n', SPACE, ...waitsNot]);
}

interface Around {
  kubernetes: Kubernetes;
  cluster: PrivateCluster;
  killDaemon: () => Promise<unknown>;
}

/** Kills and changes until the time is over. */
async function played(client: KubernetesClient, { kubernetes, cluster, killDaemon }: Around): Promise<void> {
  const kills: [what: string, kill: () => Promise<unknown>][] = [
    ['daemon', killDaemon],
    ['API server', () => kubernetes.kill('API server')],
    ['etcd', () => kubernetes.kill('etcd')],
    ['cluster', () => cluster.restart()],
  ];
  const end = Date.now() + MINUTES * 60_000;
  const killing = (async () => {
    for (let k = 0; Date.now() < end; k += 1) {
      const [, kill] = kills[k % kills.length] ?? kills[0]!;
      await Promise.all([kill(), sleep(KILL_MS)]);
      if (k % 12 === 11)
        console.log(`${k + 1} kills, ${changes} changes, ${cluster.doubled().length} doubled`);
    }
  })();
  while (Date.now() < end) {
    const name = `m${roll(MACHINES)}`;
    if (roll(10) === 0 && wanted.has(name)) remove(kubernetes, name);
    else await ask(client, name);
    await sleep(CHANGE_MS);
  }
  await killing;
}

/** Asks once more for all, waits until it is so, and says what is not. */
async function faultsAtEnd(
  client: KubernetesClient,
  kubernetes: Kubernetes,
  cluster: PrivateCluster,
): Promise<string[]> {
  const end = Date.now() + 300_000;
  let faults = ['nothing was looked at'];
  while (faults.length > 0 && Date.now() < end) {
    await sleep(3_000);
    faults = await faultsNow(client, kubernetes, cluster).catch((error: unknown) => [String(error)]);
  }
  return faults;
}

async function faultsNow(
  client: KubernetesClient,
  kubernetes: Kubernetes,
  cluster: PrivateCluster,
): Promise<string[]> {
  const { items } = await client.json(PATH);
  const shown = new Map((items as Shown[]).map(each => [each.metadata.name, each]));
  for (const [name, { tags }] of wanted) {
    const seen = shown.get(name);
    if (seen === undefined) await send(client, name, true);
    else if (JSON.stringify(seen.spec['tags']) !== JSON.stringify(tags)) await send(client, name, false);
  }
  for (const [name, { metadata }] of shown)
    if (!wanted.has(name) && metadata.deletionTimestamp === undefined) remove(kubernetes, name);
  const guests = await cluster.guests();
  const faults = guests
    .filter(({ name }) => !wanted.has(name))
    .map(({ name, vmid }) => `guest ${vmid} (${name}) is nobody's`);
  for (const [name, { tags, powerState }] of wanted) {
    const own = guests.filter(each => each.name === name);
    const [guest] = own;
    const seen = shown.get(name);
    const say = (text: string) => faults.push(`${name}: ${text}`);
    if (own.length !== 1) say(`has ${own.length} guests`);
    if (guest !== undefined && !guest.tags.includes(tags[0] ?? ''))
      say(`has tags ${guest.tags}, and not ${tags}`);
    if (guest !== undefined && guest.isRunning !== (powerState === 'On')) say(`is not ${powerState}`);
    const ready = conditionOf(seen);
    if (ready?.status !== 'True') say(`Ready is ${ready?.status}: ${ready?.message}`);
    if (seen?.status?.observedGeneration !== seen?.metadata.generation) say('its status is old');
    if (seen?.status?.vmid !== guest?.vmid) say(`status says ${seen?.status?.vmid}, it is ${guest?.vmid}`);
  }
  return faults;
}

void main();
