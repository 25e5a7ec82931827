/** What a resource is to us: a machine is made and destroyed, a cluster is asked, the others are only read. */
export type ResourceRole = 'machine' | 'cluster' | 'node' | 'other';

/** A kind of resource that is watched. */
export interface ResourceKind {
  group: string;
  version: string;
  kind: string;
  plural: string;
  shortNames: readonly string[];
  role: ResourceRole;
}

const vitistack = { group: 'vitistack.io', version: 'v1alpha1' };
const virtrigaud = { group: 'infra.virtrigaud.io', version: 'v1beta1' };

/** Each kind that is watched. Secrets are not: each is read by its name. */
export const RESOURCE_KINDS: readonly ResourceKind[] = [
  { ...vitistack, kind: 'Machine', plural: 'machines', shortNames: ['pma'], role: 'machine' },
  {
    ...{ group: 'proxmox.vitistack.io', version: 'v1alpha1' },
    ...{ kind: 'ProxmoxVirtualMachine', plural: 'proxmoxvirtualmachines' },
    ...{ shortNames: ['pvm'], role: 'machine' },
  },
  {
    ...{ ...virtrigaud, kind: 'VirtualMachine', plural: 'virtualmachines' },
    ...{ shortNames: ['vm'], role: 'machine' },
  },
  { ...virtrigaud, kind: 'VMClone', plural: 'vmclones', shortNames: ['vmclone'], role: 'machine' },
  { ...vitistack, kind: 'ProxmoxCluster', plural: 'proxmoxclusters', shortNames: ['pxc'], role: 'cluster' },
  { ...virtrigaud, kind: 'Provider', plural: 'providers', shortNames: [], role: 'cluster' },
  { ...vitistack, kind: 'ProxmoxNode', plural: 'proxmoxnodes', shortNames: ['pxn'], role: 'node' },
  { ...virtrigaud, kind: 'VMClass', plural: 'vmclasses', shortNames: [], role: 'other' },
  { ...virtrigaud, kind: 'VMImage', plural: 'vmimages', shortNames: ['vmimg'], role: 'other' },
  { ...virtrigaud, kind: 'VMPlacementPolicy', plural: 'vmplacementpolicies', shortNames: [], role: 'other' },
  { ...virtrigaud, kind: 'VMSnapshot', plural: 'vmsnapshots', shortNames: ['vmsnap'], role: 'other' },
];

export function apiVersionOf({ group, version }: Pick<ResourceKind, 'group' | 'version'>): string {
  return `${group}/${version}`;
}
