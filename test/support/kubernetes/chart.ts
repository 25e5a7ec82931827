import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { allowed } from './role-without';
import { HELM } from './where';

export const CHART = path.join(__dirname, '..', '..', '..', 'kubernetes', 'chart');
const NAME = 'pve-reconciler';

/** A document of the chart. */
export interface Document {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; annotations?: Record<string, string> };
  spec?: Record<string, unknown>;
  rules?: Parameters<typeof allowed>[0];
}
export interface Container {
  image: string;
  args: string[];
  env: { name: string; value: string }[];
  ports: { name: string; containerPort: number }[];
  livenessProbe: { httpGet: { path: string; port: string } };
  readinessProbe: { httpGet: { path: string; port: string } };
  securityContext: object;
  resources: object;
}
export interface PodSpec {
  containers: [Container];
  serviceAccountName: string;
  securityContext: object;
  enableServiceLinks: boolean;
}

/** Values with which the chart is tried, by what they are. */
export const VALUES = {
  least: { image: { repository: 'registry.example.com/pve-reconciler' } },
  alone: {
    ...{
      image: { repository: 'reconciler', tag: 'next' },
      replicaCount: 1,
      crds: false,
      namespace: 'team-a',
    },
    networkPolicy: { enabled: false },
  },
  all: {
    image: { repository: 'registry.example.com:5000/team/pve-reconciler', tag: '0.1.0' },
    ...{ replicaCount: 3, clusterNamespace: 'team-a', secretsIn: ['team-a', 'default'] },
    resources: { limits: { cpu: '1', memory: '512Mi' } },
    nodeSelector: { 'kubernetes.io/os': 'linux' },
    tolerations: [{ key: 'control-plane', operator: 'Exists', effect: 'NoSchedule' }],
    affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
    ...{ owner: 'fleet', source: 'prod', logLevel: 'debug' },
    env: { RECONCILE_INTERVAL: '1m', MAX_CONCURRENT_RECONCILES: 10, NODE_OPTIONS: null },
    caBundle: '-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----\n',
    networkPolicy: { proxmoxPorts: [8006, 443], apiServerPorts: [443, 16443], dnsPorts: [53, 5353] },
    monitoring: { serviceMonitor: true, prometheusRule: true, labels: { release: 'prometheus' } },
  },
} as const;

/** Runs Helm. Where it takes values it reads them from stdin. */
export function helm(args: readonly string[], values: object, kubeconfig: string) {
  const home = path.join(tmpdir(), 'no-home-of-helm');
  const { status, stdout, stderr } = spawnSync(HELM, args, {
    ...{ input: JSON.stringify(values), encoding: 'utf8', timeout: 120_000 },
    env: { PATH: process.env['PATH'], HOME: home, KUBECONFIG: kubeconfig },
  });
  return { ok: status === 0, stdout, stderr };
}

export const lint = (values: object) =>
  helm(['lint', '--strict', CHART, '--values', '-'], values, '/dev/null');

/** `verb` is template, install or upgrade. `folder`: another chart than ours. */
export const chart = (
  verb: string,
  values: object,
  { kubeconfig = '/dev/null', flags = [] as readonly string[], folder = CHART } = {},
) => helm([verb, NAME, folder, '--namespace', NAME, '--values', '-', ...flags], values, kubeconfig);

/** The documents of the chart with these values. Throws where Helm refuses them. */
export function rendered(values: object): Document[] {
  const { ok, stdout, stderr } = chart('template', values);
  if (!ok) throw new Error(stderr);
  return parseAllDocuments(stdout).flatMap(document => {
    const json = document.toJS() as Document | null;
    return json === null ? [] : [json];
  });
}

export const podOf = (documents: readonly Document[]): PodSpec => {
  const { spec } = documents.find(({ kind }) => kind === 'Deployment')!;
  return (spec as { template: { spec: PodSpec } }).template.spec;
};
