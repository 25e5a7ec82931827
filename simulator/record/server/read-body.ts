import type { IncomingMessage } from 'node:http';

/** More than ten thousand guests in one list. */
const MOST_BYTES = 64 * 1024 ** 2;

export const TOO_LARGE = `the answer is larger than ${MOST_BYTES / 1024 ** 2} MiB`;

/** The whole body of an answer; undefined: it is too large, and is read no further. */
export async function readBody(response: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    // this ends the connection, too
    if (size > MOST_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
