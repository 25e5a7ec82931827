import { valueAt } from '../../spec';
import { InputError } from '../errors';
import type { Removal, RemovalEnding } from '../daemon/sources/desired-source';
import type { Mark } from '../mark/mark';
import { ApiError } from './api/api-error';
import { troubleText } from './api/trouble-text';
import { NOTHING_MATCHED, type Matched } from './matched';
import { boundProxmox } from './resources/binding';
import { patchRemedy, type Finalizers } from './resources/finalizers';
import { heldByOther, otherOf, type DeletedMachine } from './resources/plan-of-resources';
import {
  BOUND_CLUSTER,
  MACHINE_FINALIZER,
  modeOf,
  policyOf,
  readyReason,
  type Resource,
} from './resources/resource';
import type { Store } from './resources/store';
import type { EventWriter } from './status/event-writer';
import { endingOf } from './status/happenings';
import type { Statement } from './status/merged-status';
import type { StatusWriter } from './status/status-writer';

/** Rules over machines whose resources are being deleted: which may go, whether that is still asked, and how it ended. */
export class Deletions {
  private matched: Matched = NOTHING_MATCHED;

  constructor(
    private readonly store: Store,
    private readonly statuses: StatusWriter,
    private readonly events: EventWriter,
    private readonly finalizers: Finalizers,
    /** Something is to be read anew. */
    private readonly again: () => void,
  ) {}

  /** Takes what the last reading found. */
  match(matched: Matched): void {
    this.matched = matched;
  }

  /** The machines of a cluster that may go now. */
  removals(cluster: string): Removal[] {
    return this.meantIn(cluster).map(deleted => ({
      owner: this.matched.ownerOf(deleted),
      ids: [deleted.resource.name],
      source: this.matched.source,
      proxmox: deleted.proxmox,
      retains: deleted.retains,
      wasMade: guest => this.wasMade(deleted, guest),
      isStillAsked: () => this.isStillAsked(deleted).catch((error: unknown) => this.inWords(deleted, error)),
      ended: ending => this.ended(deleted, ending),
    }));
  }

  /** Says of those of a cluster that is out of reach why they stay. */
  unreachable(cluster: string, reason: string): void {
    for (const { resource } of this.meantIn(cluster))
      this.stays(resource, `cluster ${cluster} does not answer: ${reason} It goes on when it does.`);
  }

  private meantIn(cluster: string): DeletedMachine[] {
    return this.matched.deleted.filter(each => each.cluster === cluster && each.why === undefined);
  }

  /** The status loses its number under another owner: then the mark tells. One of its name alone is somebody else's. */
  private wasMade(
    { resource: { uid, json, namespace }, cluster }: DeletedMachine,
    { vmid, mark }: { vmid: number; mark: Mark },
  ): boolean {
    const known = valueAt(this.store.find(uid)?.json ?? json, ['status', 'vmid']);
    if (known === vmid) return true;
    return mark.source === this.matched.source && mark.owner.endsWith(`/${cluster}/${namespace}`);
  }

  /** Read directly before: somebody may have taken our finalizer away, paused it, or made another one of its name. */
  private async isStillAsked({ resource, cluster, proxmox, retains }: DeletedMachine): Promise<boolean> {
    if (!retains) await this.finalizers.needDefinition(resource);
    await this.needNoNamesake(resource, cluster);
    const now = await this.finalizers.read(resource);
    const isAsked =
      now?.isBeingDeleted === true &&
      now.finalizers.includes(MACHINE_FINALIZER) &&
      (now.annotations[BOUND_CLUSTER] ?? cluster) === cluster &&
      boundProxmox(now) === proxmox &&
      policyOf(now) === (retains ? 'Retain' : 'Delete') &&
      (retains || modeOf(now) === 'reconcile') &&
      otherOf(now, cluster, this.store.all()) === undefined;
    const mayGo =
      isAsked && (this.isNotLetGo(now) || (await this.finalizers.needMayLetGo(now, MACHINE_FINALIZER)));
    if (!mayGo) this.again();
    return mayGo;
  }

  /** What Kubernetes does not answer is foreseen: it shows no stack. */
  private inWords({ resource }: DeletedMachine, error: unknown): never {
    if (!(error instanceof ApiError)) throw error;
    throw new InputError(`Nothing is destroyed: ${troubleText(resource.kind, error)}`);
  }

  /** Throws where a machine of another kind stands for its guest, also one that no watch has told yet. */
  private async needNoNamesake(resource: Resource, cluster: string): Promise<void> {
    const other = otherOf(resource, cluster, await this.finalizers.namesakes(resource));
    if (other !== undefined) throw new InputError(heldByOther(resource, other));
  }

  private async ended({ resource }: DeletedMachine, ending: RemovalEnding): Promise<void> {
    const wasEnded = this.isNotLetGo(resource);
    if (ending.kind === 'stays') {
      if (wasEnded) return;
      this.events.write(resource, { type: 'Warning', reason: 'DeletionRefused', message: ending.why });
      return this.stays(resource, ending.why);
    }
    const happening = endingOf(ending);
    if (!wasEnded) this.events.write(resource, happening);
    try {
      await this.finalizers.letGo(resource, MACHINE_FINALIZER);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return this.notLetGo(resource, happening.message, error);
    }
    this.again();
  }

  /** Nothing is left in Proxmox, or nothing of ours: whatever is in the way now, no guest is. */
  private isNotLetGo(resource: Resource): boolean {
    return readyReason(this.store.find(resource.uid) ?? resource) === NOT_LET_GO;
  }

  private notLetGo(resource: Resource, ended: string, error: ApiError): void {
    const why = `its finalizer ${MACHINE_FINALIZER} cannot be taken off (${error.message}).${patchRemedy(resource, error)}`;
    const message = `${ended} Only this resource is left: ${why} It is tried again.`;
    this.events.write(resource, { type: 'Warning', reason: NOT_LET_GO, message });
    this.ready(resource, NOT_LET_GO, message);
  }

  private stays(resource: Resource, why: string): void {
    if (!this.isNotLetGo(resource)) this.ready(resource, 'DeletionRefused', why);
  }

  private ready(resource: Resource, reason: string, message: string): void {
    const now = this.store.find(resource.uid) ?? resource;
    const ready: Statement = { type: 'Ready', status: 'False', reason, message };
    this.statuses.write(now, { generation: now.generation, conditions: [ready] });
  }
}

/** Its guest is seen to, and Kubernetes does not let its resource go. */
const NOT_LET_GO = 'NotLetGo';
