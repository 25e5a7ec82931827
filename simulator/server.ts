import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dispatch } from './dispatch';
import { Failure } from './failure';
import type { Sim } from './sim';

/** Listens, decodes and encodes. First cut: plain HTTP, everybody is root@pam. */
export async function listen(
  sim: Sim,
  host: string,
  port: number,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => void answer(sim, request, response));
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  const { port: bound } = addressOf(server.address());
  return {
    url: `http://${host}:${bound}`,
    close: () => new Promise(resolve => server.close(() => resolve())),
  };
}

function addressOf(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === 'string')
    throw new Error('the server does not listen on a port');
  return address;
}

async function answer(sim: Sim, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const url = new URL(request.url ?? '/', 'http://localhost');
  const path = decodeURIComponent(url.pathname).replace(/^\/api2\/(json|extjs)/, '');
  const form = new URLSearchParams(Buffer.concat(chunks).toString());
  const params = { ...Object.fromEntries(form), ...Object.fromEntries(url.searchParams) };
  const entry = sim.world.nodes[0]?.name ?? 'pve1';
  try {
    const result = await dispatch(sim, {
      method: request.method ?? 'GET',
      path,
      params,
      user: 'root@pam',
      entry,
    });
    response.writeHead(200, 'OK', { 'content-type': 'application/json;charset=UTF-8' });
    response.end(JSON.stringify({ data: result.data, ...result.beside }));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const errors = error.errors ? { errors: error.errors } : {};
    response.writeHead(error.status, error.message.split('\n')[0], {
      'content-type': 'application/json;charset=UTF-8',
    });
    response.end(JSON.stringify({ data: null, message: `${error.message.trimEnd()}\n`, ...errors }));
  }
}
