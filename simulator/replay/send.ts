import type { IncomingMessage } from 'node:http';
import { request as open } from 'node:https';
import { readBody, TOO_LARGE } from '../record/server/read-body';
import { whyNot } from '../record/server/reader';
import type { Trust } from '../record/server/trust';
import { TrustingAgent } from '../record/server/trust';
import { shown } from '../record/shown';
import type { Answer } from './compare';
import type { Send } from './held-target';

const ANSWER_MS = 120_000;

/** Sends requests to one server, each over a connection of its own, and none twice. */
export function senderTo(server: URL, trust: Trust): Send {
  const agent = new TrustingAgent(server, trust, 1);
  return (base, { method, path, headers, body }) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = { ...headers, ...length, connection: 'close' };
    return new Promise<Answer>((resolve, reject) => {
      const outgoing = open(new URL(base + path), { method, agent, headers: sent }, response => {
        answerOf(response).then(resolve, reject);
      });
      const late = setTimeout(() => outgoing.destroy(new Error('no answer within 120 s')), ANSWER_MS);
      outgoing.on('close', () => clearTimeout(late));
      outgoing.on('error', reject);
      outgoing.end(body);
    }).catch((error: unknown) => {
      const what = `${method} ${path.split('?')[0] ?? ''}`;
      throw new Error(`${server.host} did not answer ${shown(what)}: ${shown(whyNot(error))}`, {
        cause: error,
      });
    });
  };
}

async function answerOf(response: IncomingMessage): Promise<Answer> {
  const body = await readBody(response);
  if (body === undefined) throw new Error(TOO_LARGE);
  const { statusCode = 0, statusMessage = '' } = response;
  return { status: statusCode, reason: statusMessage, text: body.toString('utf8') };
}
