import { isRecord } from '../../spec';
import { InputError } from '../errors';
import { kubernetesSource } from '../mark/kubernetes-source';
import { ApiError, isStatus } from './api/api-error';
import type { KubernetesClient } from './api/client';

/** A Kubernetes has no id of its own. This namespace is made with it and never again, so its uid stands for it. */
const PATH = '/api/v1/namespaces/kube-system';
/** What could not be had is asked for again after so long. */
const AGAIN_MS = 1_000;
/** So many answers in a row are no passing trouble any more. */
const MOST_SILENT = 10;

/** The name by which marks know this Kubernetes: the one that a person gave, else one that no other Kubernetes has. */
export class OwnName {
  private known: string | undefined;
  private askedAt = -Infinity;
  private failures = 0;
  private why = '';

  constructor(
    private readonly client: KubernetesClient,
    given: string | undefined,
  ) {
    this.known = given === undefined ? undefined : kubernetesSource(given);
  }

  /** Undefined: Kubernetes does not answer now. Throws where it refuses to tell, or has not told for some time. */
  async read(): Promise<string | undefined> {
    if (this.known !== undefined) return this.known;
    if (performance.now() - this.askedAt < AGAIN_MS) return this.notTold();
    this.askedAt = performance.now();
    try {
      const { metadata } = await this.client.json(PATH);
      const uid = isRecord(metadata) ? metadata['uid'] : undefined;
      if (typeof uid === 'string') this.known = kubernetesSource(uid);
      else this.failed('the namespace kube-system has no uid');
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const isRefused = isStatus(error, 401, 403);
      if (isRefused) throw new InputError(faultOf(error.message, RIGHTS));
      this.failed(error.message);
    }
    return this.known ?? this.notTold();
  }

  private failed(why: string): void {
    this.failures += 1;
    this.why = why;
  }

  private notTold(): undefined {
    if (this.failures >= MOST_SILENT)
      throw new InputError(faultOf(this.why, 'It is asked again: look at the API server.'));
  }
}

const RIGHTS =
  'Apply kubernetes/rbac.yaml again, or upgrade the chart: the role lacks get on the namespace kube-system.';

function faultOf(why: string, remedy: string): string {
  return `Nothing tells this Kubernetes from another: ${why}. ${remedy} Or give it a name: --source.`;
}
