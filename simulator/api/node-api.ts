import { authenticate } from '../access/authenticate';
import { admitControl } from '../control/admit';
import { Failure } from '../failure';
import type { Random } from '../random';
import { seededRandom } from '../random';
import type { Site } from '../control/site';
import { expectedLength } from './body';
import type { Entered } from './request';
import { answerApi } from './request';
import { parseTarget, splitApiPath } from './target';
import type { Admitted, Service } from '../wire/connection';
import { credentialsOf } from './credentials';
import type { Head } from '../wire/head';
import type { Reply } from '../wire/reply';
import { plainReply } from '../wire/reply';

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'];

const FRONT_PAGE =
  '<!doctype html><title>Proxmox Virtual Environment (simulated)</title><p>A simulated cluster: <a href="/_sim/">look at it</a>.</p>\n';

/** The API of one node of the cluster, and the control calls beside it. */
export class ApiService implements Service {
  /** Apart from the world's, so that reading does not change what is created next. */
  private readonly random: Random;

  constructor(
    private readonly site: Site,
    /** The node that is asked. */
    private readonly node: string,
    /** How long a 401 waits, in simulated time. PVE: three seconds. */
    private readonly unauthorizedMs: number,
    readonly idleMs: number,
  ) {
    this.random = seededRandom(site.sim.options.seed);
  }

  defect(error: unknown): void {
    this.site.sim.defects.note(error);
  }

  now(): number {
    return this.site.sim.clock.now();
  }

  admit(head: Head): Admitted | Reply {
    if (!METHODS.includes(head.method))
      return { status: 501, reason: `method '${head.method}' not available` };
    const encoding = head.headers.get('transfer-encoding');
    if (encoding?.toLowerCase() === 'chunked')
      return plainReply(501, 'chunked transfer encoding not supported');
    if (encoding) return plainReply(501, `Unknown transfer encoding '${encoding}'`);
    const { path, query } = parseTarget(head.target);
    if (path === '/_sim' || path.startsWith('/_sim/')) return admitControl(this.site, head, path, query);
    if (!this.isUp()) return { length: 0, answer: () => ({ broken: 'silent' }) };
    if (path === '/' && head.method === 'GET')
      return { status: 200, reason: 'OK', body: FRONT_PAGE, type: 'text/html;charset=UTF-8' };
    if (!path.startsWith('/api2')) return plainReply(501, `no such file '${path}'`);
    const api = splitApiPath(path);
    return api ? this.enter(head, api, query) : plainReply(501, 'no such uri');
  }

  /** Whether anything listens on this node at all. */
  private isUp(): boolean {
    const node = this.site.sim.world.nodes.find(({ name }) => name === this.node);
    return node !== undefined && node.online && node.apiUp;
  }

  private enter(head: Head, api: { format: string; path: string }, query: string): Admitted | Reply {
    const { sim } = this.site;
    const { format, path } = api;
    const started = performance.now();
    const entry = { head, path, query, node: this.node, started };
    try {
      const auth = authenticate(sim, { method: head.method, path, ...credentialsOf(head) });
      const length = expectedLength(head, auth.isUpload);
      if (format !== 'json' && format !== 'extjs')
        return { length, answer: () => plainReply(501, `no formatter for uri ${path}, ${format}`) };
      const entered: Entered = { ...entry, format, auth, random: this.random };
      return { length, answer: body => answerApi(this.site, entered, body) };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return this.turnAway(head, path, error, started);
    }
  }

  /** Refuses before the body is read: without any text in it for who is unknown, else in plain text. */
  private turnAway(head: Head, path: string, failure: Failure, started: number): Admitted {
    const { sim, ledger } = this.site;
    const { status, message: reason } = failure;
    const unknown = status === 401 || status === 403;
    const { method } = head;
    ledger.record({
      at: sim.clock.now(),
      method,
      path,
      status,
      reason,
      ms: performance.now() - started,
      bytesIn: 0,
      bytesOut: 0,
      write: method !== 'GET',
    });
    const reply = unknown ? { status, reason } : plainReply(status, reason);
    const answer = async (): Promise<Reply> => {
      if (unknown && this.unauthorizedMs > 0) await sim.clock.sleep(this.unauthorizedMs);
      return reply;
    };
    return { length: 0, answer };
  }
}
