import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { RecordFailure } from '../failure';
import { isRow } from '../shape';
import { shown } from '../shown';
import { readBody, TOO_LARGE } from './read-body';
import type { ApiToken } from './token';
import type { Trust } from './trust';
import { TrustingAgent } from './trust';
import { codeOf } from '../../cli/code-of';

const CONNECTIONS = 4;
const ANSWER_MS = 30_000;

/** What could not be read, and what the server said to it. */
export interface Unread {
  path: string;
  why: string;
}

type Answer = { status: number; reason: string; body: Buffer } | 'too large';

/** Reads from one server, by GET and nothing else, a few requests at a time. */
export class Reader {
  readonly unread: Unread[] = [];
  private readonly agent: TrustingAgent;
  private answers = 0;

  constructor(
    private readonly server: URL,
    trust: Trust,
    private readonly token: ApiToken,
  ) {
    this.agent = new TrustingAgent(server, trust, CONNECTIONS);
  }

  /** The data of an answer; undefined when there is none, which is remembered. Fails where going on makes no sense. */
  async get(path: string): Promise<unknown> {
    const answer = await this.ask(path);
    if (answer === 'too large') return this.missed(path, TOO_LARGE);
    const { status, reason, body } = answer;
    if (status === 401) throw new RecordFailure(this.refused(reason));
    if (status !== 200) return this.missed(path, `${status} ${shown(reason)}`);
    this.answers += 1;
    const json = parsed(body);
    return isRow(json) && 'data' in json ? json['data'] : this.missed(path, 'the answer is not of Proxmox');
  }

  close(): void {
    this.agent.destroy();
  }

  /** Remembers that something could not be read. */
  missed(path: string, why: string): undefined {
    this.unread.push({ path, why });
    return undefined;
  }

  private refused(reason: string): string {
    const said = `401 ${shown(reason)}`;
    if (this.answers === 0) {
      return `the server does not take the token (${said}). Check its id and its secret. Nothing was written.`;
    }
    return `the token ended while it was being used (${said}), after ${this.answers} answers. Nothing was written; running again is safe.`;
  }

  /** One request; a connection that breaks is tried once more. */
  private async ask(path: string): Promise<Answer> {
    try {
      return await this.send(path);
    } catch {
      return this.send(path).catch((error: unknown) => {
        throw new RecordFailure(
          `${this.server.host} did not answer GET ${shown(path)}: ${shown(whyNot(error))}. Nothing was written; running again is safe.`,
        );
      });
    }
  }

  private send(path: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const outgoing = request(
        new URL(`/api2/json${path}`, this.server),
        {
          method: 'GET',
          agent: this.agent,
          headers: { authorization: `PVEAPIToken=${this.token.id}=${this.token.secret}` },
        },
        response => collect(response).then(resolve, reject),
      );
      // the whole answer, not only its next byte
      const late = setTimeout(() => outgoing.destroy(new Error('no answer within 30 s')), ANSWER_MS);
      outgoing.on('close', () => clearTimeout(late));
      outgoing.on('error', reject);
      outgoing.end();
    });
  }
}

async function collect(response: IncomingMessage): Promise<Answer> {
  const body = await readBody(response);
  if (body === undefined) return 'too large';
  return { status: response.statusCode ?? 0, reason: response.statusMessage ?? '', body };
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

const HINTS: Record<string, string> = {
  SELF_SIGNED_CERT_IN_CHAIN: 'nobody vouches for its certificate; give --ca FILE or --fingerprint SHA256',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'nobody vouches for its certificate; give --ca FILE or --fingerprint SHA256',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'nobody vouches for its certificate; give --ca FILE or --fingerprint SHA256',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'nobody vouches for its certificate; give --ca FILE or --fingerprint SHA256',
};

/** Why there is no connection, with a remedy where there is one. */
export function whyNot(error: unknown): string {
  return HINTS[codeOf(error)] ?? codeOf(error);
}
