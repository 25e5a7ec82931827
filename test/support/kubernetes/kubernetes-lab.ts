import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Simulator } from '../../../simulator';
import { crds } from '../../../reconciler/kubernetes/crds/crds';
import type { Options } from '../../../reconciler/input/surroundings';
import { isStatus } from '../../../reconciler/kubernetes/api/api-error';
import { KubernetesClient } from '../../../reconciler/kubernetes/api/client';
import { RESOURCE_KINDS } from '../../../reconciler/kubernetes/kinds';
import { listPath, pathOf } from '../../../reconciler/kubernetes/resources/resource';
import type { Json } from '../cluster/lab';
import { TOKEN, startCluster, type ClusterOptions } from '../cluster/start-cluster';
import { startDaemon, until, type RunningDaemon } from '../daemon/daemon-lab';
import { startKubernetes, TOKENS, type Kubernetes } from './start-kubernetes';

const RBAC = path.join(__dirname, '..', '..', '..', 'kubernetes', 'rbac.yaml');
const SPACE = 'team-a';

/** An event. */
interface Told {
  type: string;
  reason: string;
  message: string;
  count: number;
}

/** A resource as kubectl shows it. */
export interface Shown {
  metadata: {
    uid: string;
    name: string;
    resourceVersion: string;
    generation: number;
    finalizers?: string[];
    annotations?: Record<string, string>;
    deletionTimestamp?: string;
  };
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

/**
 * A real API server with our definitions and our role, a simulated cluster, and daemons between them. `beside`: the
 * cluster is that of another lab, which closes it. `install` brings the definitions and the rights in another way.
 */
export async function kubernetesLab(
  options: ClusterOptions = {},
  beside?: Simulator,
  install?: (kubernetes: Kubernetes, simulator: Simulator) => void,
) {
  const kubernetes = await startKubernetes();
  const simulator = beside ?? (await startCluster({ taskMs: 5, ...options }));
  const running: RunningDaemon[] = [];
  const { done } = kubernetes;
  const apply = (...documents: (Json | string)[]): string => {
    const texts = documents.map(each => (typeof each === 'string' ? each : JSON.stringify(each)));
    return done(['apply', '-f', '-'], texts.join('\n---\n'));
  };
  const applyRights = (): void => void apply(readFileSync(RBAC, 'utf8'));
  const bindSecrets = (name: string): void =>
    void done([
      ...['create', 'rolebinding', 'pve-reconciler-secrets', '-n', name],
      ...['--clusterrole=pve-reconciler-secrets', '--serviceaccount=pve-reconciler:pve-reconciler'],
    ]);
  const space = (name: string): void => {
    done(['create', 'namespace', name]);
    bindSecrets(name);
  };
  if (install === undefined) {
    done(['apply', '--server-side', '-f', '-'], [...crds().values()].join('---\n'));
    applyRights();
    space(SPACE);
  } else {
    done(['create', 'namespace', SPACE]);
    install(kubernetes, simulator);
  }
  done(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=60s']);
  // not by kubectl, which would hold up the daemon and the simulator in this process
  const client = new KubernetesClient({
    server: kubernetes.server,
    ca: kubernetes.ca(),
    token: () => TOKENS.admin,
  });
  const get = async (plural: string, name: string, namespace = SPACE): Promise<Shown | undefined> => {
    const kind = RESOURCE_KINDS.find(each => each.plural === plural)!;
    try {
      return (await client.json(pathOf({ kind, name, namespace }))) as unknown as Shown;
    } catch (error) {
      if (isStatus(error, 404)) return undefined;
      throw error;
    }
  };
  /** All resources of a namespace, with their kinds. */
  const all = async (namespace = SPACE): Promise<(Shown & { kind: string })[]> => {
    const lists = RESOURCE_KINDS.map(async kind => {
      const { items } = await client.json(listPath(kind, namespace));
      return (items as Shown[]).map(each => ({ ...each, kind: kind.kind }));
    });
    return (await Promise.all(lists)).flat();
  };
  return {
    kubernetes,
    simulator,
    all,
    apply,
    applyRights,
    bindSecrets,
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
    untilReady: (name: string): Promise<Shown> =>
      until(
        () => get('machines', name),
        seen => conditionOf(seen)?.status === 'True',
      ) as Promise<Shown>,
    /** Changes a machine of which the patch says a part. */
    merge: (name: string, patch: object): void =>
      void done([
        ...['patch', 'machine', name, '-n', SPACE, '--type=merge'],
        ...['-p', JSON.stringify(patch)],
      ]),
    /** Asks for the end of a machine, and does not wait for it. */
    remove: (name: string): void => void done(['delete', 'machine', name, '-n', SPACE, '--wait=false']),
    untilTrue: (look: () => boolean): Promise<boolean> => until(look, seen => seen),
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
    events: async (name: string): Promise<Told[]> => {
      const query = new URLSearchParams({ fieldSelector: `involvedObject.name=${name}` });
      const { items } = await client.json(`/api/v1/namespaces/${SPACE}/events?${query.toString()}`);
      return items as Told[];
    },
    stopAll: async (): Promise<void> => {
      await Promise.allSettled(running.splice(0).map(daemon => daemon.stop()));
    },
    close: async (): Promise<void> => {
      await Promise.allSettled(running.map(daemon => daemon.stop()));
      client.close();
      await Promise.all([beside === undefined && simulator.close(), kubernetes.close()]);
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
  token: string | { id: string; secret: string },
  name: string,
  namespace = SPACE,
): Json[] {
  const { id, secret } = typeof token === 'string' ? { id: TOKEN.id, secret: token } : token;
  const [username, tokenID] = id.split('!');
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
          ...{ username, tokenID },
          tokenSecret: { secretRef: { name: `${name}-access`, key: 'token-secret' } },
        },
      },
    },
  ];
}
