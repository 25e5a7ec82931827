import { ApiError, isStatus } from '../api/api-error';
import type { KubernetesClient } from '../api/client';
import { rest } from '../api/list-watch';
import { pathOf, titleOf, type Resource } from '../resources/resource';
import type { Store } from '../resources/store';
import { statusAfter, timeNow, type WantedStatus } from './merged-status';

/** Writes at once. */
const MOST = 4;
const LONGEST_MS = 30_000;

/** Writes the status of resources. What is said anew of one before it is written takes the place of what was said. */
export class StatusWriter {
  private readonly waiting = new Map<string, WantedStatus>();
  private readonly atWork = new Set<string>();
  private told = '';

  constructor(
    private readonly client: KubernetesClient,
    private readonly store: Store,
    private readonly signal: AbortSignal,
    private readonly tell: (text: string) => void,
  ) {}

  /** Nothing is sent where the resource says it already. */
  write({ uid }: Pick<Resource, 'uid'>, wanted: WantedStatus): void {
    this.waiting.set(uid, wanted);
    this.begin();
  }

  private begin(): void {
    for (const [uid, wanted] of this.waiting) {
      if (this.atWork.size >= MOST) return;
      if (this.atWork.has(uid)) continue;
      this.waiting.delete(uid);
      this.atWork.add(uid);
      void this.bring(uid, wanted).finally(() => {
        this.atWork.delete(uid);
        this.begin();
      });
    }
  }

  /** Never throws: a status that is not written is written by the next look. */
  private async bring(uid: string, wanted: WantedStatus): Promise<void> {
    for (let failures = 0; !this.signal.aborted; failures += 1) {
      const resource = this.store.find(uid);
      // newer words take the place of these
      if (resource === undefined || this.waiting.has(uid)) return;
      const status = statusAfter(resource.json['status'], wanted, timeNow());
      if (status === undefined) return;
      try {
        await this.put(resource, status);
        return;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (isStatus(error, 404)) return;
        if (isStatus(error, 409)) await this.readAgain(resource);
        else {
          this.tellOnce(resource, error);
          // no try of the same helps
          if (isStatus(error, 400, 422)) return;
        }
        const backoff = Math.min(LONGEST_MS, 200 * 2 ** Math.min(failures, 10));
        await rest(Math.max(error.retryAfterMs ?? 0, isStatus(error, 409) ? 0 : backoff), this.signal);
      }
    }
  }

  private async put(resource: Resource, status: object): Promise<void> {
    const body = { ...resource.json, status };
    const path = `${pathOf(resource)}/status`;
    this.store.take(
      resource.kind,
      await this.client.json(path, { method: 'PUT', body, signal: this.signal }),
    );
  }

  /** Somebody wrote it since it was read. */
  private async readAgain(resource: Resource): Promise<void> {
    try {
      const found = this.store.take(resource.kind, await this.client.json(pathOf(resource)));
      // another one has its name now
      if (found !== undefined && found.uid !== resource.uid) this.store.drop(resource);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (isStatus(error, 404)) this.store.drop(resource);
    }
  }

  private tellOnce(resource: Resource, error: ApiError): void {
    const right = `update on ${resource.kind.plural}/status`;
    const remedy = isStatus(error, 403) ? ` Give the daemon's role the verb ${right}.` : '';
    const text = `The status of ${titleOf(resource)} is not written: ${error.message}.${remedy}`;
    if (this.told !== text) this.tell(text);
    this.told = text;
  }
}
