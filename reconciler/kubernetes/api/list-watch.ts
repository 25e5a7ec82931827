import { isRecord } from '../../../spec';
import { ApiError, isStatus } from './api-error';
import type { Json, KubernetesClient } from './client';

/** Who is told what is there. */
export interface Listener {
  /** All that is there, at the start and whenever the thread was lost. */
  listed: (all: readonly Json[]) => void;
  changed: (type: 'ADDED' | 'MODIFIED' | 'DELETED', one: Json) => void;
  /** Why it is not known what is there; undefined: it is again. */
  trouble: (error: ApiError | undefined) => void;
}

const PAGE = 500;
/** A watch is ended by the server after so long, and begun anew. */
const WATCH_S = 300;
/** Longer than a watch lives and than a bookmark takes. */
const SILENT_MS = (WATCH_S + 30) * 1000;
/** A watch that lives so long was none that ends at once. */
const LASTING_MS = 1_000;
const FIRST_MS = 500;
const LONGEST_MS = 30_000;
/** A kind whose definition is not there may come. */
const MISSING_MS = 30_000;

/** Lists what is at a path and watches it, until its signal is aborted. */
export class ListWatch {
  private version: string | undefined;
  private failures = 0;

  constructor(
    private readonly client: KubernetesClient,
    private readonly path: string,
    private readonly listener: Listener,
  ) {}

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        if (this.version === undefined) await this.list(signal);
        const begun = performance.now();
        await this.watch(signal);
        // one that ends at once would be begun at once
        if (performance.now() - begun >= LASTING_MS) this.failures = 0;
        else {
          this.failures += 1;
          await rest(this.backoffMs(), signal);
        }
      } catch (error) {
        if (signal.aborted) return;
        await this.afterFailure(this.troubleOf(error), signal);
      }
    }
  }

  private async list(signal: AbortSignal): Promise<void> {
    const all: Json[] = [];
    let [from, version] = ['', ''];
    do {
      const query = new URLSearchParams({ limit: String(PAGE), ...(from !== '' && { continue: from }) });
      const page = await this.client.json(`${this.path}?${query.toString()}`, { signal });
      const metadata = isRecord(page['metadata']) ? page['metadata'] : {};
      const { apiVersion, kind } = page;
      const items = Array.isArray(page['items']) ? page['items'].filter(isRecord) : [];
      // the items of a list say their kind once, at its head
      const own = { apiVersion, kind: String(kind).replace(/List$/, '') };
      all.push(...items.map(item => ({ ...own, ...item })));
      from = textOf(metadata['continue']);
      version = textOf(metadata['resourceVersion']);
    } while (from !== '');
    this.listener.listed(all);
    // not before: a watch that follows a part of a list would never tell the rest
    this.version = version;
  }

  private async watch(signal: AbortSignal): Promise<void> {
    const query = new URLSearchParams({
      ...{ watch: '1', allowWatchBookmarks: 'true', timeoutSeconds: String(WATCH_S) },
      resourceVersion: this.version ?? '',
    });
    const opened = (): void => this.listener.trouble(undefined);
    const sent = { signal, silentMs: SILENT_MS, opened };
    for await (const event of this.client.lines(`${this.path}?${query.toString()}`, sent)) {
      const { type, object } = event;
      if (!isRecord(object)) continue;
      if (type === 'ERROR')
        throw new ApiError(Number(object['code'] ?? 500), String(object['message']), this.name);
      const metadata = isRecord(object['metadata']) ? object['metadata'] : {};
      this.version = textOf(metadata['resourceVersion']) || this.version;
      this.failures = 0;
      if (type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED') this.listener.changed(type, object);
    }
  }

  private async afterFailure(error: ApiError, signal: AbortSignal): Promise<void> {
    // what was told since the last event is forgotten there: all is read anew
    this.failures += 1;
    if (isStatus(error, 410)) this.version = undefined;
    else {
      // a watch that breaks goes on where it was; a server that was restored from a copy may know an older state
      if (error.status !== 0 && error.status !== 429) this.version = undefined;
      // an answer that is lost, or asks to wait, is no news at first
      const isPassing = isStatus(error, 0, 429);
      if (!isPassing || this.failures > 3) this.listener.trouble(error);
    }
    await rest(this.pauseMs(error), signal);
  }

  private pauseMs(error: ApiError): number {
    if (isStatus(error, 404)) return MISSING_MS;
    return Math.max(error.retryAfterMs ?? 0, this.backoffMs());
  }

  private backoffMs(): number {
    const backoff = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(this.failures - 1, 10));
    return backoff * (0.5 + Math.random() / 2);
  }

  /** Whatever it is: a watch that ends would be missed by nobody. */
  private troubleOf(error: unknown): ApiError {
    if (error instanceof ApiError) return error;
    // what was listed may not have been taken
    this.version = undefined;
    return new ApiError(0, error instanceof Error ? error.message : String(error), this.name);
  }

  private get name(): string {
    return `GET ${this.path}`;
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Resolves after so long, or when the signal is aborted. */
export function rest(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
    function end(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    }
  });
}
