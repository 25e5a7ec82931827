import { isRecord } from '../../spec';
import { InputError } from '../errors';
import { kubernetesSource } from '../mark/kubernetes-source';
import { ApiError, isStatus } from './api/api-error';
import type { KubernetesClient } from './api/client';

/** A Kubernetes has no id of its own. This namespace is made with it and never again, so its uid stands for it. */
const PATH = '/api/v1/namespaces/kube-system';
/** What could not be had is asked for again after so long. */
const AGAIN_MS = 1_000;

/** The name by which marks know this Kubernetes: the one that a person gave, else one that no other Kubernetes has. */
export class OwnName {
  private known: string | undefined;
  private askedAt = -Infinity;

  constructor(
    private readonly client: KubernetesClient,
    given: string | undefined,
  ) {
    this.known = given === undefined ? undefined : kubernetesSource(given);
  }

  /** Undefined: Kubernetes does not answer now. Throws where it refuses to tell. */
  async read(): Promise<string | undefined> {
    if (this.known !== undefined) return this.known;
    if (Date.now() - this.askedAt < AGAIN_MS) return undefined;
    this.askedAt = Date.now();
    try {
      const { metadata } = await this.client.json(PATH);
      const uid = isRecord(metadata) ? metadata['uid'] : undefined;
      if (typeof uid === 'string') this.known = kubernetesSource(uid);
      return this.known;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (!isStatus(error, 401, 403)) return undefined;
      const remedy = 'Apply kubernetes/rbac.yaml again: the role lacks get on the namespace kube-system.';
      throw new InputError(
        `Nothing tells this Kubernetes from another: ${error.message}. ${remedy} Or give it a name: --source.`,
      );
    }
  }
}
