import { request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import type { Simulator } from '../../../simulator';

type Row = Record<string, unknown>;

/** One message of /_sim/events. */
export interface Told {
  now: number;
  about: Row;
  requests?: { all: boolean; left: number; rows: Row[] };
  nodes?: Changes;
  guests?: Changes;
  tasks?: Changes;
  faults?: Changes;
}

interface Changes {
  all: boolean;
  gone: (string | number)[];
  rows: Row[];
}

/** Follows the events of a simulator, as its page does. */
export async function follow({ url }: Pick<Simulator, 'url'>) {
  const messages: Told[] = [];
  let bytes = 0;
  let chunks: Buffer[] = [];
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(`${url}/_sim/events`, { rejectUnauthorized: false, agent: false }, resolve)
      .on('error', reject)
      .end();
  });
  // the end of the test, or of the simulator
  response.on('error', () => undefined);
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    chunks.push(chunk);
    // a long message comes in many pieces, and is put together once
    if (!chunk.toString('latin1').endsWith('\n\n')) return;
    const parts = Buffer.concat(chunks).toString().split('\n\n');
    chunks = [];
    for (const part of parts) if (part.startsWith('data: ')) messages.push(JSON.parse(part.slice(6)) as Told);
  });
  return {
    status: response.statusCode,
    messages,
    bytes: () => bytes,
    /** Reads nothing for a while. */
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    close: () => void response.destroy(),
  };
}
