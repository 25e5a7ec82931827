import { Socket } from 'node:net';
import os from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';

/** A connection to PostgreSQL. */
export interface Connection {
  client: Client;
  /** Ends it, and never throws. One that hangs is not waited for, also not by the end of the process. */
  end: () => Promise<void>;
}

/** Connects to PostgreSQL. A server that does not answer within this time, here and later, is given up. */
export async function connectTo(url: string, answerMs: number): Promise<Connection> {
  const socket = new Socket();
  const client = new Client({
    connectionString: url,
    application_name: `pve-reconciler ${os.hostname()}`.slice(0, 63),
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
    keepAlive: true,
    stream: () => socket,
  });
  client.on('error', () => undefined);
  const end = async (): Promise<void> => {
    const late = new AbortController();
    const limit = wait(answerMs, undefined, { signal: late.signal });
    await Promise.race([client.end(), limit]).catch(() => undefined);
    late.abort();
    await limit.catch(() => undefined);
    socket.destroy();
  };
  try {
    await client.connect();
  } catch (error) {
    await end();
    throw error;
  }
  return { client, end };
}
