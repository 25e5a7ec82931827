import { authenticate } from '../access/authenticate';
import type { Auth } from '../access/authenticate';
import { dispatch } from '../dispatch';
import { Failure } from '../failure';
import type { Random } from '../random';
import { seededRandom } from '../random';
import type { Sim } from '../sim';
import { decodeParameters, expectedLength } from './api-body';
import type { Target } from './api-target';
import { parseTarget, splitApiPath } from './api-target';
import type { Admitted, Outcome, Service } from './connection';
import { credentialsOf } from './credentials';
import type { Format } from './envelope';
import { wrapAnswer, wrapFailure } from './envelope';
import type { Head } from './head';
import type { Reply } from './reply';
import { plainReply } from './reply';

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'];

/** An API request that was let in: who sends it, where to, in which format. */
interface Entered {
  head: Head;
  target: Target;
  path: string;
  format: Format;
  auth: Auth;
}

/** The API of one node of the cluster. */
export class ApiService implements Service {
  /** Apart from the world's, so that reading does not change what is created next. */
  private readonly random: Random;

  constructor(
    private readonly sim: Sim,
    private readonly entry: string,
  ) {
    this.random = seededRandom(sim.options.seed);
  }

  now(): number {
    return this.sim.clock.now();
  }

  admit(head: Head): Admitted | Reply {
    try {
      return this.enter(head);
    } catch (error) {
      return plainFailure(error);
    }
  }

  private enter(head: Head): Admitted | Reply {
    if (!METHODS.includes(head.method))
      return { status: 501, reason: `method '${head.method}' not available` };
    const encoding = head.headers.get('transfer-encoding');
    if (encoding?.toLowerCase() === 'chunked')
      return plainReply(501, 'chunked transfer encoding not supported');
    if (encoding) return plainReply(501, `Unknown transfer encoding '${encoding}'`);
    const target = parseTarget(head.target);
    if (!target.path.startsWith('/api2')) return plainReply(501, `no such file '${target.path}'`);
    const api = splitApiPath(target.path);
    if (!api) return plainReply(501, 'no such uri');
    return this.enterApi(head, target, api);
  }

  private enterApi(head: Head, target: Target, api: { format: string; path: string }): Admitted | Reply {
    let auth: Auth;
    try {
      auth = authenticate(this.sim, { method: head.method, path: api.path, ...credentialsOf(head) });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { status: error.status, reason: error.message };
    }
    const length = expectedLength(head, auth.isUpload);
    const { format, path } = api;
    if (format !== 'json' && format !== 'extjs')
      return { length, answer: () => plainReply(501, `no formatter for uri ${path}, ${format}`) };
    const entered: Entered = { head, target, path, format, auth };
    return { length, answer: body => this.answer(entered, body) };
  }

  private async answer({ head, target, path, format, auth }: Entered, body: Buffer): Promise<Outcome> {
    let asked;
    try {
      asked = decodeParameters(head, target.query, body, auth.isUpload);
    } catch (error) {
      return plainFailure(error);
    }
    try {
      const request = { method: head.method, path, auth, entry: this.entry, ...asked };
      return wrapAnswer(format, await dispatch(this.sim, request), this.random);
    } catch (error) {
      return wrapFailure(format, asFailure(error), this.random);
    }
  }
}

function plainFailure(error: unknown): Reply {
  const failure = asFailure(error);
  return plainReply(failure.status, failure.message);
}

/** A defect of ours must not take the cluster down: it becomes a 500 that says what it is. */
function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return new Failure(500, `the simulator failed: ${error instanceof Error ? error.message : String(error)}`);
}
