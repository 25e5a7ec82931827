import { isRecord } from '../../../spec';
import { ApiError, isStatus } from '../api/api-error';
import type { KubernetesClient } from '../api/client';

/** A Secret as it was read; `why`: it could not be. */
interface KeptSecret {
  values: ReadonlyMap<string, string> | undefined;
  why: string | undefined;
  /** Something speaks for a change, and it was not read since. */
  isOld?: boolean;
}

/**
 * Reads each Secret that a resource names, by its name: no others are listed or watched. What was read is kept until
 * something speaks for a change.
 */
export class SecretReader {
  private readonly kept = new Map<string, KeptSecret>();

  constructor(private readonly client: KubernetesClient) {}

  readonly of = async (namespace: string, name: string): Promise<ReadonlyMap<string, string> | undefined> => {
    const key = `${namespace}/${name}`;
    const before = this.kept.get(key);
    if (before !== undefined && before.isOld !== true) return before.values;
    const known = newer(await this.read(namespace, name), before);
    this.kept.set(key, known);
    return known.values;
  };

  /** What was read of it before, where nothing speaks for a change. */
  readonly keptOf = (namespace: string, name: string): ReadonlyMap<string, string> | undefined => {
    const kept = this.kept.get(`${namespace}/${name}`);
    return kept?.isOld === true ? undefined : kept?.values;
  };

  /** Why a Secret could not be read; undefined: it could, or is not there. */
  whyNot(namespace: string, name: string): string | undefined {
    return this.kept.get(`${namespace}/${name}`)?.why;
  }

  /** They are read again when they are needed. */
  forget(names: readonly { namespace: string; name: string }[]): void {
    for (const { namespace, name } of names) {
      const before = this.kept.get(`${namespace}/${name}`);
      if (before !== undefined) this.kept.set(`${namespace}/${name}`, { ...before, isOld: true });
    }
  }

  /** Whether any could not be read. */
  get isLacking(): boolean {
    return [...this.kept.values()].some(isLacking);
  }

  /** Reads some of those that are kept anew: those that are lacking, or all. Whether one of them has changed. */
  async readAgain(which: 'lacking' | 'all'): Promise<boolean> {
    let hasChanged = false;
    for (const [key, kept] of this.kept) {
      if (which === 'lacking' && !isLacking(kept)) continue;
      const [namespace = '', name = ''] = key.split('/');
      const now = newer(await this.read(namespace, name), kept);
      hasChanged ||= textOf(now) !== textOf(kept);
      this.kept.set(key, now);
    }
    return hasChanged;
  }

  private async read(namespace: string, name: string): Promise<KeptSecret> {
    const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/secrets/${encodeURIComponent(name)}`;
    try {
      const { data } = await this.client.json(path);
      const entries = Object.entries(isRecord(data) ? data : {});
      const values = entries.map(([key, value]): [string, string] => [
        key,
        Buffer.from(String(value), 'base64').toString('utf8'),
      ]);
      return { values: new Map(values), why: undefined };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { values: undefined, why: isStatus(error, 404) ? undefined : whyNot(error, namespace, name) };
    }
  }
}

function isLacking({ values, isOld }: KeptSecret): boolean {
  return values === undefined || isOld === true;
}

/** No answer is no news: what was read before still counts, and is asked for again. */
function newer(now: KeptSecret, before: KeptSecret | undefined): KeptSecret {
  if (now.why === undefined || before?.values === undefined) return now;
  return { ...before, isOld: true };
}

function whyNot(error: ApiError, namespace: string, name: string): string {
  const remedy = isStatus(error, 403)
    ? `Give the daemon's role the verb get on secrets in namespace ${namespace}.`
    : 'It is read again; nothing is done until then.';
  return `Secret ${namespace}/${name} cannot be read (${error.message}). ${remedy}`;
}

function textOf({ values, why }: KeptSecret): string {
  return JSON.stringify([values === undefined ? null : [...values].sort(), why]);
}

/** The Secrets that a resource names, wherever it may name them. */
export function secretNamesIn(json: unknown): string[] {
  if (Array.isArray(json)) return json.flatMap(secretNamesIn);
  if (!isRecord(json)) return [];
  return Object.entries(json).flatMap(([key, value]) => {
    const isReference =
      /secret(?:Key)?Ref$/i.test(key) && isRecord(value) && typeof value['name'] === 'string';
    return isReference ? [String(value['name'])] : secretNamesIn(value);
  });
}
