import type { ApiError } from '../api/api-error';
import type { Json, KubernetesClient } from '../api/client';
import { ListWatch } from '../api/list-watch';
import { RESOURCE_KINDS, type ResourceKind } from '../kinds';
import { listPath, resourceOf, wishOf, type Resource } from './resource';

/** What one kind's list and watch told. */
interface Shelf {
  kind: ResourceKind;
  byUid: Map<string, Resource>;
  isRead: boolean;
  trouble: ApiError | undefined;
}

/** All resources that are watched, as they were last seen. */
export class Store {
  private readonly shelves: Shelf[] = RESOURCE_KINDS.map(kind => ({
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
      this.shelves.map(shelf =>
        new ListWatch(client, listPath(shelf.kind, namespace), {
          listed: all => this.listed(shelf, all),
          changed: (type, one) => this.one(shelf, type, one),
          trouble: error => {
            shelf.trouble = error;
            // a kind that was never defined has no resources; one that was read once keeps them: nothing says that they went
            if (error?.status === 404 && !shelf.isRead) this.listed(shelf, []);
            this.troubled();
          },
        }).run(signal),
      ),
    );
  }

  /** Whether each kind was listed once. */
  get isRead(): boolean {
    return this.shelves.every(({ isRead }) => isRead);
  }

  /** What is in the way of knowing what is wanted, by kind. */
  get troubles(): { kind: ResourceKind; error: ApiError }[] {
    return this.shelves.flatMap(({ kind, trouble }) => (trouble ? [{ kind, error: trouble }] : []));
  }

  /** The oldest first: of two that exclude each other the elder stays. */
  all(): Resource[] {
    const all = this.shelves.flatMap(({ byUid }) => [...byUid.values()]);
    return all.sort((a, b) => compare(a.createdAt, b.createdAt) || compare(a.uid, b.uid));
  }

  find(uid: string): Resource | undefined {
    return this.shelves.flatMap(({ byUid }) => byUid.get(uid) ?? [])[0];
  }

  /** Takes what an answer of the server says of one, so that it is known before the watch tells it. */
  take(kind: ResourceKind, json: Json): Resource | undefined {
    const shelf = this.shelves.find(each => each.kind === kind);
    const resource = resourceOf(kind, json);
    if (shelf === undefined || resource === undefined) return undefined;
    const known = shelf.byUid.get(resource.uid);
    // one that went meanwhile is not brought back by an answer that is older
    if (known !== undefined && isNewer(resource, known)) shelf.byUid.set(resource.uid, resource);
    return resource;
  }

  drop(resource: Resource): void {
    this.shelves.find(({ kind }) => kind === resource.kind)?.byUid.delete(resource.uid);
  }

  private listed(shelf: Shelf, all: readonly Json[]): void {
    const before = shelf.byUid;
    const resources = all.flatMap(json => resourceOf(shelf.kind, json) ?? []);
    shelf.byUid = new Map(resources.map(resource => [resource.uid, resource]));
    const isFirst = !shelf.isRead;
    shelf.isRead = true;
    const gone = [...before.values()].filter(({ uid }) => !shelf.byUid.has(uid));
    const news = resources.filter(each => isWishNew(each, before.get(each.uid)));
    if (isFirst || gone.length > 0 || news.length > 0) this.changed([...gone, ...news]);
  }

  private one(shelf: Shelf, type: 'ADDED' | 'MODIFIED' | 'DELETED', json: Json): void {
    const resource = resourceOf(shelf.kind, json);
    if (resource === undefined) return;
    const before = shelf.byUid.get(resource.uid);
    if (type === 'DELETED') shelf.byUid.delete(resource.uid);
    else if (before !== undefined && !isNewer(resource, before)) return;
    else shelf.byUid.set(resource.uid, resource);
    if (type === 'DELETED' || isWishNew(resource, before)) this.changed([resource]);
  }
}

function isWishNew(now: Resource, before: Resource | undefined): boolean {
  return before === undefined || wishOf(now) !== wishOf(before);
}

/** Versions are numbers of one etcd, and are compared as the API says that clients may. */
function isNewer(one: Resource, other: Resource): boolean {
  if (one.version.length !== other.version.length) return one.version.length > other.version.length;
  return one.version > other.version;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
