import { isRecord, valueAt } from '../../../spec';
import { InputError } from '../../errors';
import { ApiError } from '../api/api-error';
import type { KubernetesClient } from '../api/client';
import type { ResourceKind } from '../kinds';
import { MACHINE_FINALIZER, type Resource } from './resource';

/**
 * Throws where nobody has asked for the end of the guest of a deleted machine: its definition is being deleted, which
 * deletes each resource of it, or it was deleted with an earlier definition, and has come back with this one.
 */
export async function needDefinition(client: KubernetesClient, resource: Resource): Promise<void> {
  const { kind, name } = resource;
  const definition = definitionOf(kind);
  const metadata = await readDefinition(client, definition);
  if (metadata['deletionTimestamp'] !== undefined)
    throw new InputError(
      `The definition ${definition} is being deleted, and all of its resources with it: no guest is destroyed. To keep the guest, remove the finalizer ${MACHINE_FINALIZER} of ${name} by hand, then apply the definition and the document again: it is taken over. To destroy it, apply them again and delete only ${name}.`,
    );
  const deletedAt = valueAt(resource.json, ['metadata', 'deletionTimestamp']);
  const madeAt = metadata['creationTimestamp'];
  if (isAfter(deletedAt, madeAt)) return;
  throw new InputError(
    `It was deleted at ${String(deletedAt)}, with an earlier definition ${definition}: the one that is there now was made at ${String(madeAt)}. Nobody has asked for its guest to go, so it is not touched. Remove its finalizers: kubectl patch ${definition} ${name} -n ${resource.namespace} --type=merge -p '{"metadata":{"finalizers":null}}'. Then apply its document again, which takes the guest over. To destroy the guest, delete ${name} after that.`,
  );
}

function definitionOf({ plural, group }: Pick<ResourceKind, 'plural' | 'group'>): string {
  return `${plural}.${group}`;
}

/** Kubernetes tells times in whole seconds: of two in the same second nobody knows which came first. */
function isAfter(one: unknown, other: unknown): boolean {
  return Date.parse(String(one)) > Date.parse(String(other));
}

async function readDefinition(client: KubernetesClient, definition: string) {
  const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${definition}`;
  const { metadata } = await client.json(path).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.status !== 403) throw error;
    const remedy =
      'Apply kubernetes/rbac.yaml again, or upgrade the chart: the role lacks get on this definition.';
    throw new InputError(`Nothing is destroyed: ${error.message}. ${remedy}`);
  });
  return isRecord(metadata) ? metadata : {};
}
