import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Json } from '../cluster/lab';
import { TOKEN } from '../cluster/start-cluster';
import { start, type Running } from '../processes/cli';
import { chart, CHART, helm, podOf, rendered, VALUES, type Container } from './chart';
import { startLocked } from './locked-pod';
import { clusterDocuments, kubernetesLab } from './kubernetes-lab';
import { freePort } from '../free-ports';

const NAME = 'pve-reconciler';

/** The chart as an earlier version of it was, in which machines had no short name. */
function olderChart(folder: string): string {
  const older = join(folder, 'older-chart');
  cpSync(CHART, older, { recursive: true });
  const file = join(older, 'files/crds/machines.vitistack.io.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/ +shortNames:\n +- pma\n/, ''));
  const about = { apiVersion: 'v2', name: NAME, version: '0.0.9', appVersion: '0.0.9' };
  writeFileSync(join(older, 'Chart.yaml'), stringify(about));
  return older;
}

/** A Kubernetes in which an earlier version of the chart was installed, and pods as processes: there is nobody who starts pods. */
export async function installedChart() {
  let values: Json = {};
  let kubeconfig = '';
  const run = (verb: string, given: Json = {}, flags: string[] = [], folder?: string) =>
    chart(verb, { ...values, ...given }, { kubeconfig, flags, ...(folder !== undefined && { folder }) });
  const lab = await kubernetesLab({}, undefined, (kubernetes, { ca }) => {
    kubeconfig = kubernetes.configOf('admin');
    values = { ...VALUES.least, secretsIn: ['team-a'], caBundle: ca, env: { RECONCILE_INTERVAL: '1s' } };
    const { ok, stderr } = run('install', {}, ['--create-namespace'], olderChart(kubernetes.folder));
    if (!ok) throw new Error(stderr);
  });
  const { done, folder, configOfPod } = lab.kubernetes;
  const pods: { child: Running['child']; ended: Promise<unknown> }[] = [];
  const podWith = async (given: Json) => {
    const pod = podOf(rendered({ ...values, ...given }));
    const [container] = pod.containers;
    const bundle = join(folder, 'ca.pem');
    const data = ['-o', 'jsonpath={.data.ca\\.pem}'];
    writeFileSync(bundle, done(['get', 'configmap', `${NAME}-ca`, '-n', NAME, ...data]));
    const token = done(['create', 'token', pod.serviceAccountName, '-n', NAME]).trim();
    const port = await freePort();
    const listen = {
      ...{ METRICS_BIND_ADDRESS: '0', STATUS_BIND_ADDRESS: '0' },
      HEALTH_PROBE_BIND_ADDRESS: `127.0.0.1:${port}`,
    };
    const ask = (probe: Probe) => probed(container[probe].httpGet.path, port);
    return { pod, container, token, bundle, listen, ask };
  };
  return {
    lab,
    run,
    helm: (args: string[]) => helm(args, {}, kubeconfig),
    /** The cluster `lab`, which trusts what the chart's bundle says. */
    applyCluster: (): void => {
      const [secret, cluster] = clusterDocuments(lab.simulator, TOKEN.secret, 'lab');
      const { caCertificate, ...spec } = cluster!['spec'] as Json;
      lab.apply(secret!, { ...cluster, spec });
    },
    /** The container of the chart, with the token of its account and nothing else, and where its probes are asked. */
    startPod: async (given: Json = {}) => {
      const { container, token, bundle, listen, ask } = await podWith(given);
      const pod = start(container.args, {
        ...Object.fromEntries(container.env.map(({ name, value }) => [name, value])),
        ...{ KUBECONFIG: configOfPod(undefined, token), NODE_EXTRA_CA_CERTS: bundle },
        ...listen,
      });
      pods.push(pod);
      return { ...pod, ask };
    },
    /** The same, locked in as a node does it. */
    startLockedPod: async () => {
      const { pod: spec, token, bundle, listen, ask } = await podWith({});
      const pod = startLocked(lab.kubernetes, { pod: spec, token, bundle }, listen);
      pods.push(pod);
      return { ...pod, ask };
    },
    stopPods: async (): Promise<void> => {
      const stopped = pods.splice(0);
      for (const { child } of stopped) child.kill('SIGTERM');
      await Promise.all(stopped.map(({ ended }) => ended));
    },
    close: () => lab.close(),
  };
}

export type InstalledChart = Awaited<ReturnType<typeof installedChart>>;
type Probe = keyof Pick<Container, 'livenessProbe' | 'readinessProbe'>;

async function probed(path: string, port: number): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined);
  return answer?.status ?? 0;
}
