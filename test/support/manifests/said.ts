import { documentsOf } from './documents-of';
import { saidBy, type ManifestSurroundings, type ReadManifests } from '../../../reconciler/manifests';

/** What these manifests say: the file is called `x.yaml`. */
export async function saidIn(
  text: string,
  given: Partial<ManifestSurroundings> = {},
): Promise<ReadManifests> {
  return saidBy(await documentsOf(text, 'x.yaml'), {
    owner: 'manifests',
    defaultCluster: undefined,
    isKnown: () => false,
    hasCredentials: () => false,
    mounted: () => undefined,
    ...given,
  });
}

const KINDS: Readonly<Record<string, string>> = {
  Machine: 'vitistack.io/v1alpha1',
  ProxmoxCluster: 'vitistack.io/v1alpha1',
  ProxmoxNode: 'vitistack.io/v1alpha1',
  ProxmoxVirtualMachine: 'proxmox.vitistack.io/v1alpha1',
  Secret: 'v1',
};

/** A manifest of a kind, as YAML: fields of `spec`, and what else it says. */
export function manifest(kind: string, name: string, spec: object = {}, more: object = {}): string {
  const apiVersion = KINDS[kind] ?? 'infra.virtrigaud.io/v1beta1';
  return `---\n${JSON.stringify({ apiVersion, kind, metadata: { name }, spec, ...more })}\n`;
}

/** A Secret, as YAML. */
export function secret(name: string, stringData: object, more: object = {}): string {
  return `---\n${JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData, ...more })}\n`;
}

export const CLUSTER = manifest('ProxmoxCluster', 'lab');
