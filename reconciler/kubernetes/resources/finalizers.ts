import { InputError } from '../../errors';
import { ApiError, isStatus } from '../api/api-error';
import type { KubernetesClient } from '../api/client';
import { RESOURCE_KINDS } from '../kinds';
import { needDefinition } from './definition';
import {
  BOUND_CLUSTER,
  BOUND_PROXMOX,
  CLUSTER_FINALIZER,
  MACHINE_FINALIZER,
  pathOf,
  titleOf,
  type Resource,
} from './resource';
import type { ProxmoxIdentity } from '../../run/proxmox-identity';
import type { Store } from './store';

const MOST_TRIES = 5;

/**
 * Holds resources by finalizers as long as something in Proxmox hangs on them. When one is let go, of a machine
 * kubernetes/deletions says, of a cluster plan-of-resources.
 */
export class Finalizers {
  constructor(
    private readonly client: KubernetesClient,
    private readonly store: Store,
  ) {}

  /**
   * Holds a machine, and writes down the cluster and the Proxmox that it is bound to, in one write that fails where
   * somebody wrote it since it was read. Says why not; undefined: it is held.
   */
  async bind(resource: Resource, cluster: string, proxmox: ProxmoxIdentity): Promise<string | undefined> {
    const finalizers = [...new Set([...resource.finalizers, MACHINE_FINALIZER])];
    return this.write(resource, {
      finalizers,
      annotations: { [BOUND_CLUSTER]: cluster, [BOUND_PROXMOX]: proxmox },
    });
  }

  /** Holds a cluster that machines are bound to. */
  async keep(resource: Resource): Promise<string | undefined> {
    return this.write(resource, { finalizers: [...resource.finalizers, CLUSTER_FINALIZER] });
  }

  /** Lets a resource go. Also when somebody writes it meanwhile, and when it is gone already. */
  async letGo(resource: Resource, finalizer: string): Promise<void> {
    let now: Resource | undefined = resource;
    for (let tries = 1; now?.uid === resource.uid && now.finalizers.includes(finalizer); tries += 1) {
      const finalizers = now.finalizers.filter(each => each !== finalizer);
      try {
        return void (await this.patch(now, { finalizers }));
      } catch (error) {
        if (isStatus(error, 404)) return;
        if (!isStatus(error, 409) || tries >= MOST_TRIES) throw error;
        now = await this.read(resource);
      }
    }
  }

  /**
   * Throws where a resource could not be let go of: its guest would be gone, and it would stay. Asks for that and has
   * nothing written. What cannot be tried so is tried in earnest later. False: it was let go of meanwhile, or is another one.
   */
  async needMayLetGo(resource: Resource, finalizer: string): Promise<boolean> {
    const finalizers = resource.finalizers.filter(each => each !== finalizer);
    const body = { metadata: { finalizers, uid: resource.uid } };
    try {
      await this.client.json(`${pathOf(resource)}?dryRun=All`, { method: 'PATCH', body });
      return true;
    } catch (error) {
      if (isStatus(error, 404, 409)) return false;
      // something that looks at each write knows no dry run
      if (isStatus(error, 400)) return true;
      if (!(error instanceof ApiError) || !isStatus(error, 403, 422)) throw error;
      throw new InputError(
        `Nothing is done to its guest: the finalizer ${finalizer} could not be taken off after it (${error.message}).${patchRemedy(resource, error)}`,
      );
    }
  }

  /** As it is now; undefined: there is none of this uid. */
  async read(resource: Resource): Promise<Resource | undefined> {
    const found = await this.readAt(resource);
    return found?.uid === resource.uid ? found : undefined;
  }

  /** The machines of other kinds that have its name, as they are now: their watches may be late. */
  async namesakes({ kind, name, namespace }: Resource): Promise<Resource[]> {
    const others = RESOURCE_KINDS.filter(each => each.role === 'machine' && each !== kind);
    const found = await Promise.all(others.map(each => this.readAt({ kind: each, name, namespace })));
    return found.flatMap(each => each ?? []);
  }

  /** Throws where its deletion asks for no guest to go: definition.ts says when. */
  needDefinition(resource: Resource): Promise<void> {
    return needDefinition(this.client, resource);
  }

  private async readAt(place: Pick<Resource, 'kind' | 'name' | 'namespace'>): Promise<Resource | undefined> {
    try {
      return this.store.take(place.kind, await this.client.json(pathOf(place)));
    } catch (error) {
      if (isStatus(error, 404)) return undefined;
      throw error;
    }
  }

  private async write(resource: Resource, metadata: object): Promise<string | undefined> {
    try {
      await this.patch(resource, metadata);
      return undefined;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (isStatus(error, 404, 409)) return '';
      const remedy = patchRemedy(resource, error);
      return `${titleOf(resource)} cannot be held (${error.message}), so nothing is made for it.${remedy}`;
    }
  }

  private async patch(resource: Resource, metadata: object): Promise<void> {
    const { uid, version } = resource;
    const body = { metadata: { ...metadata, uid, resourceVersion: version } };
    this.store.take(resource.kind, await this.client.json(pathOf(resource), { method: 'PATCH', body }));
  }
}

/** What to do where a resource may not be changed; empty: nothing is known that helps. */
export function patchRemedy({ kind: { plural, group } }: Resource, error: ApiError): string {
  return isStatus(error, 403) ? ` Give the daemon's role the verb patch on ${plural}.${group}.` : '';
}
