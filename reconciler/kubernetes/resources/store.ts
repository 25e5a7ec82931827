import type { ApiError } from '../api/api-error';
import type { Json, KubernetesClient } from '../api/client';
import { ListWatch } from '../api/list-watch';
import { RESOURCE_KINDS, type ResourceKind } from '../kinds';
import { listPath, resourceOf, wantedText, type Resource } from './resource';

/** What one kind's list and watch told. */
interface ResourcesOfKind {
  kind: ResourceKind;
  byUid: Map<string, Resource>;
  isRead: boolean;
  trouble: ApiError | undefined;
}

/** All resources that are watched, as they were last seen. */
export class Store {
  private readonly byKind: ResourcesOfKind[] = RESOURCE_KINDS.map(kind => ({
    ...{ kind, byUid: new Map<string, Resource>(), isRead: false, trouble: undefined },
  }));

  /** `changed`: somebody wants something else than before. */
  constructor(
    private readonly changed: (resources: readonly Resource[]) => void,
    private readonly troubled: () => void,
  ) {}

  /** Begins to watch; ends with the signal. */
  async run(client: KubernetesClient, namespace: string | undefined, signal: AbortSignal): Promise<void> {
    await Promise.all(
      this.byKind.map(ofKind =>
        new ListWatch(client, listPath(ofKind.kind, namespace), {
          listed: all => this.listed(ofKind, all),
          changed: (type, one) => this.one(ofKind, type, one),
          trouble: error => {
            ofKind.trouble = error;
            // a kind that was never defined has no resources; one that was read once keeps them: nothing says that they went
            if (error?.status === 404 && !ofKind.isRead) this.listed(ofKind, []);
            this.troubled();
          },
        }).run(signal),
      ),
    );
  }

  /** Whether each kind was listed once. */
  get isRead(): boolean {
    return this.byKind.every(({ isRead }) => isRead);
  }

  /** What is in the way of knowing what is wanted, by kind. */
  get troubles(): { kind: ResourceKind; error: ApiError }[] {
    return this.byKind.flatMap(({ kind, trouble }) => (trouble ? [{ kind, error: trouble }] : []));
  }

  /** The oldest first: of two that exclude each other the elder stays. */
  all(): Resource[] {
    const all = this.byKind.flatMap(({ byUid }) => [...byUid.values()]);
    return all.sort((a, b) => compare(a.createdAt, b.createdAt) || compare(a.uid, b.uid));
  }

  find(uid: string): Resource | undefined {
    return this.byKind.flatMap(({ byUid }) => byUid.get(uid) ?? [])[0];
  }

  /** Takes what an answer of the server says of one, so that it is known before the watch tells it. */
  take(kind: ResourceKind, json: Json): Resource | undefined {
    const ofKind = this.byKind.find(each => each.kind === kind);
    const resource = resourceOf(kind, json);
    if (ofKind === undefined || resource === undefined) return undefined;
    const known = ofKind.byUid.get(resource.uid);
    // one that went meanwhile is not brought back by an answer that is older
    if (known !== undefined && isNewer(resource, known)) ofKind.byUid.set(resource.uid, resource);
    return resource;
  }

  /** Takes out one that is gone. That is news: a list that comes next tells nothing of it any more. */
  drop(resource: Resource): void {
    const ofKind = this.byKind.find(({ kind }) => kind === resource.kind);
    if (ofKind?.byUid.delete(resource.uid) === true) this.changed([resource]);
  }

  private listed(ofKind: ResourcesOfKind, all: readonly Json[]): void {
    const before = ofKind.byUid;
    const resources = all.flatMap(json => resourceOf(ofKind.kind, json) ?? []);
    ofKind.byUid = new Map(resources.map(resource => [resource.uid, resource]));
    const isFirst = !ofKind.isRead;
    ofKind.isRead = true;
    const gone = [...before.values()].filter(({ uid }) => !ofKind.byUid.has(uid));
    const news = resources.filter(each => wantsOther(each, before.get(each.uid)));
    if (isFirst || gone.length > 0 || news.length > 0) this.changed([...gone, ...news]);
  }

  private one(ofKind: ResourcesOfKind, type: 'ADDED' | 'MODIFIED' | 'DELETED', json: Json): void {
    const resource = resourceOf(ofKind.kind, json);
    if (resource === undefined) return;
    const before = ofKind.byUid.get(resource.uid);
    if (type === 'DELETED') ofKind.byUid.delete(resource.uid);
    else if (before !== undefined && !isNewer(resource, before)) return;
    else ofKind.byUid.set(resource.uid, resource);
    if (type === 'DELETED' || wantsOther(resource, before)) this.changed([resource]);
  }
}

function wantsOther(now: Resource, before: Resource | undefined): boolean {
  return before === undefined || wantedText(now) !== wantedText(before);
}

/** Versions are numbers of one etcd, and are compared as the API says that clients may. */
function isNewer(one: Resource, other: Resource): boolean {
  if (one.version.length !== other.version.length) return one.version.length > other.version.length;
  return one.version > other.version;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
