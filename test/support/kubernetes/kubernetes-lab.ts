import { readFileSync } from 'node:fs';
import path from 'node:path';
import { crds } from '../../../reconciler/kubernetes/crds/crds';
import type { Options } from '../../../reconciler/input/surroundings';
import type { Json } from '../cluster/lab';
import { TOKEN, startCluster, type ClusterOptions } from '../cluster/start-cluster';
import { startDaemon, until, type RunningDaemon } from '../daemon/daemon-lab';
import { startKubernetes } from './start-kubernetes';

const RBAC = path.join(__dirname, '..', '..', '..', 'kubernetes', 'rbac.yaml');
const SPACE = 'team-a';

/** A resource as kubectl shows it. */
export interface Shown {
  metadata: { uid: string; generation: number; finalizers?: string[]; deletionTimestamp?: string };
  spec: Json;
  status?: Json & { phase?: string; conditions?: Condition[]; observedGeneration?: number; vmid?: number };
}
export interface Condition {
  type: string;
  status: string;
  reason: string;
  message: string;
  lastTransitionTime: string;
  observedGeneration: number;
}

/** A real API server with our definitions and our role, a simulated cluster, and daemons between them. */
export async function kubernetesLab(options: ClusterOptions = {}) {
  const kubernetes = await startKubernetes();
  const simulator = await startCluster({ taskMs: 5, ...options });
  const running: RunningDaemon[] = [];
  const { done } = kubernetes;
  const apply = (...documents: (Json | string)[]): string => {
    const texts = documents.map(each => (typeof each === 'string' ? each : JSON.stringify(each)));
    return done(['apply', '-f', '-'], texts.join('\n---\n'));
  };
  done(['apply', '--server-side', '-f', '-'], [...crds().values()].join('---\n'));
  done(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=60s']);
  apply(readFileSync(RBAC, 'utf8'));
  const space = (name: string): void => {
    done(['create', 'namespace', name]);
    done([
      ...['create', 'rolebinding', 'pve-reconciler-secrets', '-n', name],
      ...['--clusterrole=pve-reconciler-secrets', '--serviceaccount=pve-reconciler:pve-reconciler'],
    ]);
  };
  space(SPACE);
  const get = (kind: string, name: string, namespace = SPACE): Shown | undefined => {
    const { ok, stdout } = kubernetes.kubectl(['get', kind, name, '-n', namespace, '-o', 'json']);
    return ok ? (JSON.parse(stdout) as Shown) : undefined;
  };
  return {
    kubernetes,
    simulator,
    apply,
    space,
    get,
    /** The cluster `lab`, and the Secret that it names. */
    applyCluster: (secret: string = TOKEN.secret, name = 'lab'): void => {
      apply(...clusterDocuments(simulator, secret, name));
    },
    start: (given: Options = {}, environment: Record<string, string> = {}): RunningDaemon => {
      const daemon = startDaemon(
        { kubernetes: true, ...given },
        { KUBECONFIG: kubernetes.configOf('daemon'), PVE_TASK_POLL_INTERVAL: '10ms', ...environment },
      );
      running.push(daemon);
      return daemon;
    },
    /** Looks until a resource is so. */
    untilIs: (
      kind: string,
      name: string,
      isSo: (seen: Shown) => boolean,
      namespace = SPACE,
    ): Promise<Shown> =>
      until(
        () => get(kind, name, namespace),
        seen => seen !== undefined && isSo(seen),
      ) as Promise<Shown>,
    untilGone: (kind: string, name: string, namespace = SPACE): Promise<unknown> =>
      until(
        () => get(kind, name, namespace),
        seen => seen === undefined,
      ),
    guests: (name: string) =>
      Object.values(simulator.world.guests).filter(({ config }) => config['name'] === name),
    writes: () =>
      simulator.ledger
        .entries()
        .filter(({ method }) => method !== 'GET')
        .map(({ method, path: at }) => `${method} ${at}`),
    events: (name: string): { type: string; reason: string; message: string; count: number }[] =>
      (
        JSON.parse(
          done([
            'get',
            'events',
            '-n',
            SPACE,
            '-o',
            'json',
            '--field-selector',
            `involvedObject.name=${name}`,
          ]),
        ) as { items: { type: string; reason: string; message: string; count: number }[] }
      ).items,
    stopAll: async (): Promise<void> => {
      await Promise.all(running.splice(0).map(daemon => daemon.stop()));
    },
    close: async (): Promise<void> => {
      await Promise.allSettled(running.map(daemon => daemon.stop()));
      await Promise.all([simulator.close(), kubernetes.close()]);
    },
  };
}

export type KubernetesLab = Awaited<ReturnType<typeof kubernetesLab>>;

export function conditionOf(shown: Shown | undefined, type = 'Ready'): Condition | undefined {
  return shown?.status?.conditions?.find(each => each.type === type);
}

export function machine(name: string, spec: Json = {}, metadata: Json = {}): Json {
  return {
    apiVersion: 'vitistack.io/v1alpha1',
    kind: 'Machine',
    metadata: { name, namespace: SPACE, ...metadata },
    spec: { cluster: 'lab', node: 'pve1', image: { blank: true }, ...spec },
  };
}

export function clusterDocuments(
  { url, ca }: { url: string; ca: string },
  secret: string,
  name: string,
  namespace = SPACE,
): Json[] {
  return [
    {
      ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: `${name}-access`, namespace } },
      stringData: { 'token-secret': secret },
    },
    {
      ...{ apiVersion: 'vitistack.io/v1alpha1', kind: 'ProxmoxCluster', metadata: { name, namespace } },
      spec: {
        ...{ endpoint: url, caCertificate: ca, pollFloor: '10ms' },
        credentials: {
          ...{ username: 'root@pam', tokenID: 'full' },
          tokenSecret: { secretRef: { name: `${name}-access`, key: 'token-secret' } },
        },
      },
    },
  ];
}
