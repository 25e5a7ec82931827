import { ClusterSpec, NodeSpec, PlacementSpec } from '../../../spec';
import { CLONE_ROWS, MACHINE_FIELDS, MACHINE_ROWS } from './machine-rows';
import type { Rows } from './rows';

/** What a kind is about. Two kinds of one role share their names. */
export type Role =
  | 'machine'
  | 'clone'
  | 'cluster'
  | 'provider'
  | 'node'
  | 'class'
  | 'image'
  | 'policy'
  | 'snapshot'
  | 'secret';

/** A kind of manifest that is read. */
export interface ManifestKind {
  apiVersion: string;
  kind: string;
  role: Role;
  rows: Rows;
  takes?: readonly string[];
  /** The fields beside metadata that are not in `spec`. */
  top?: readonly string[];
}

const VITISTACK = 'vitistack.io/v1alpha1';
const VIRTRIGAUD = 'infra.virtrigaud.io/v1beta1';
const machine = { role: 'machine', rows: MACHINE_ROWS, takes: MACHINE_FIELDS } as const;

const OWN_PROGRAM =
  'mode, image and service of spec.runtime do nothing here: this program needs no other beside it.';
const clusterFields = Object.keys(ClusterSpec.shape).filter(
  field => field !== 'name' && field !== 'credentials',
);
const TLS: Rows = {
  insecureSkipTLSVerify: { to: 'insecureSkipTlsVerify' },
  insecureSkipVerify: { to: 'insecureSkipTlsVerify' },
  caCertificate: 'read',
  caCertificateSecretRef: 'read',
  clientCertificate: 'read',
  clientCertificateSecretRef: 'read',
  clientKey: 'read',
  clientKeySecretRef: 'read',
};

/** Each kind that is read, with what becomes of its fields. */
export const KINDS: readonly ManifestKind[] = [
  { apiVersion: VITISTACK, kind: 'Machine', ...machine },
  { apiVersion: 'proxmox.vitistack.io/v1alpha1', kind: 'ProxmoxVirtualMachine', ...machine },
  { apiVersion: VIRTRIGAUD, kind: 'VirtualMachine', ...machine },
  { apiVersion: VIRTRIGAUD, kind: 'VMClone', role: 'clone', rows: CLONE_ROWS, takes: MACHINE_FIELDS },
  {
    apiVersion: VITISTACK,
    kind: 'ProxmoxCluster',
    role: 'cluster',
    rows: { ...TLS, credentials: 'read' },
    takes: clusterFields,
  },
  {
    apiVersion: VIRTRIGAUD,
    kind: 'Provider',
    role: 'provider',
    rows: {
      ...TLS,
      type: 'read',
      credentialSecretRef: 'read',
      runtime: {
        within: {
          mode: { nothing: OWN_PROGRAM },
          image: { nothing: OWN_PROGRAM },
          service: { nothing: OWN_PROGRAM },
          env: 'read',
        },
      },
    },
    takes: clusterFields,
  },
  {
    apiVersion: VITISTACK,
    kind: 'ProxmoxNode',
    role: 'node',
    rows: {},
    takes: Object.keys(NodeSpec.shape),
  },
  {
    apiVersion: VIRTRIGAUD,
    kind: 'VMClass',
    role: 'class',
    rows: { spec: { within: { machine: { to: 'machine' }, bios: { to: 'bios' } } } },
    takes: ['cpus', 'memory', 'machine', 'bios', 'storage'],
  },
  {
    apiVersion: VIRTRIGAUD,
    kind: 'VMImage',
    role: 'image',
    rows: { source: 'read' },
    takes: ['checksum', 'storage'],
  },
  {
    apiVersion: VIRTRIGAUD,
    kind: 'VMPlacementPolicy',
    role: 'policy',
    rows: {
      nodeSelector: 'read',
      constraints: {
        within: { maxVMsPerNode: { to: 'maxVMsPerNode' }, minFreeMemory: { to: 'minFreeMemory' } },
      },
    },
    takes: Object.keys(PlacementSpec.shape).filter(field => field !== 'nodeSelector'),
  },
  {
    apiVersion: VIRTRIGAUD,
    kind: 'VMSnapshot',
    role: 'snapshot',
    rows: { vmRef: 'read' },
    takes: ['description', 'includeMemory', 'onDestroy'],
  },
  {
    apiVersion: 'v1',
    kind: 'Secret',
    role: 'secret',
    rows: {},
    top: ['type', 'immutable', 'data', 'stringData'],
  },
];

const SETTINGS =
  'Set what it configures in the environment of this program, such as PVE_ENDPOINT and PVE_TOKEN_ID.';
const ACCESS = 'Nothing of Kubernetes is asked by this program: what it may do in Proxmox, its token says.';

/** Kinds that mean nothing here, and what takes their place. */
export const REPLACED: Readonly<Record<string, string>> = {
  Deployment: SETTINGS,
  StatefulSet: SETTINGS,
  DaemonSet: SETTINGS,
  Pod: SETTINGS,
  ConfigMap: SETTINGS,
  HelmRelease: SETTINGS,
  Service: 'This program listens to nobody when it reads manifests.',
  NetworkPolicy:
    'Limit what the machine of this program may reach: the port 8006 of Proxmox is all that it needs.',
  Role: ACCESS,
  RoleBinding: ACCESS,
  ClusterRole: ACCESS,
  ClusterRoleBinding: ACCESS,
  ServiceAccount: ACCESS,
  CustomResourceDefinition: 'The schemas of this program are in its package, in schema/.',
  Kustomization: 'Give what "kustomize build" writes.',
  Namespace: 'Name the namespace in the metadata of each manifest: it needs none of its own.',
  Job: 'Run "pve-reconciler reconcile" instead.',
  CronJob: 'Run "pve-reconciler reconcile" at those times instead.',
};
