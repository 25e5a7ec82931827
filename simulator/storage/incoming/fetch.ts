import { request, type IncomingMessage } from 'node:http';
import { fail } from '../../failure';

/** What really answers at an address of this machine: its status, and its body when it was asked for. */
export interface Fetched {
  status: string;
  size: number;
  body: Buffer;
}

/** Whether an address is one of this machine, where a test may listen. The simulated nodes reach no other. */
export function isLoopback(url: string): boolean {
  return /^http:\/\/127\.0\.0\.1:\d+\//.test(url);
}

/** Asks over a real socket. Fails with `refused` when nobody listens, and as wget does when the body ends too early. */
export async function fetchLoopback(method: 'GET' | 'HEAD', url: string, refused: string): Promise<Fetched> {
  const answer = await answerOf(method, url).catch(() => fail(refused));
  const status = `${answer.statusCode} ${answer.statusMessage ?? ''}`;
  const parts: Buffer[] = [];
  try {
    for await (const part of answer) parts.push(Buffer.from(part));
  } catch {
    // assumed: the words of wget
    fail('download failed: wget: Read error (Connection reset by peer) in headers');
  }
  const body = Buffer.concat(parts);
  return { status, body, size: Number(answer.headers['content-length'] ?? body.length) };
}

function answerOf(method: string, url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(url, { method, agent: false }, resolve).on('error', reject).end();
  });
}
