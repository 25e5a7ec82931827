import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { InputError } from '../../errors';
import { addressText, type Address } from './address';
import { headersFor, plain, type Answer } from './answer';
import { isIP } from 'node:net';

/** What is reported at a path; undefined: there is nothing there. */
export type Route = (path: string) => Promise<Answer | undefined> | Answer | undefined;

/** Where a route is served, and the variable that says so. */
export interface Served {
  variable: string;
  address: Address;
  route: Route;
  /** The names under which it is told, besides addresses and localhost. Absent: under any. */
  names?: readonly string[];
}

/** Idle clients cost a few kilobytes each; more than this are turned away. */
const MOST_CLIENTS = 2_000;
const MOST_HEADER_BYTES = 8_192;

/** Listens for GETs. Writes nothing anywhere. Routes of one address share a server. What comes back closes all. */
export async function listen(
  all: readonly Served[],
  told: (variable: string, address: string) => void,
): Promise<() => Promise<void>> {
  const byAddress = new Map<string, Served[]>();
  for (const served of all) {
    // port 0 is another one each time
    const key = served.address.port === 0 ? served.variable : addressText(served.address);
    byAddress.set(key, [...(byAddress.get(key) ?? []), served]);
  }
  const servers: Server[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(servers.map(closed));
  };
  try {
    for (const several of byAddress.values()) {
      const server = await serve(several);
      servers.push(server);
      several.forEach(({ variable, address }) => told(variable, boundTo(server, address)));
    }
  } catch (error) {
    await close();
    throw error;
  }
  return close;
}

function serve(several: readonly Served[]): Promise<Server> {
  const [first] = several;
  const options = {
    maxHeaderSize: MOST_HEADER_BYTES,
    headersTimeout: 5_000,
    requestTimeout: 10_000,
    keepAliveTimeout: 5_000,
    connectionsCheckingInterval: 1_000,
  };
  const server = createServer(options, (request, response) => void answer(several, request, response));
  server.maxConnections = MOST_CLIENTS;
  // who takes no byte of an answer for so long is gone
  server.setTimeout(15_000);
  return new Promise((resolve, reject) => {
    server.once('error', error => reject(cannotListen(error, several)));
    server.listen({ port: first?.address.port ?? 0, host: first?.address.host }, () => {
      server.on('error', () => undefined);
      resolve(server);
    });
  });
}

/** Where it listens in fact: port 0 takes any. */
function boundTo(server: Server, { host }: Address): string {
  const bound = server.address();
  return typeof bound === 'object' && bound !== null ? addressText({ host, port: bound.port }) : '';
}

function cannotListen(error: Error, several: readonly Served[]): InputError {
  const code = 'code' in error ? String(error.code) : error.message;
  const [first] = several;
  const names = several.map(({ variable }) => variable).join(', ');
  const where = first === undefined ? '' : addressText(first.address);
  return new InputError(
    `${names}: ${where} cannot be listened at (${code}). Give another address, or 0 for none.`,
  );
}

async function answer(
  several: readonly Served[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = '', url = '/' } = request;
  // what a client sends beside is not read
  request.resume();
  try {
    if (method !== 'GET' && method !== 'HEAD')
      return send(
        response,
        plain(405, 'This path takes GET and HEAD only: nothing is written over HTTP.\n'),
        method,
      );
    const [path = '/'] = url.split('?');
    let isMisdirected = false;
    for (const { route, names } of several) {
      const told = await route(path);
      const isMeant = names === undefined || isKnownHost(request.headers.host, names);
      if (told && isMeant) return send(response, told, method);
      isMisdirected ||= told !== undefined;
    }
    if (isMisdirected) return send(response, plain(421, MISDIRECTED), method);
    send(response, plain(404, 'There is nothing here.\n'), method);
  } catch {
    // a fault of ours, told without what is in it
    send(response, plain(500, 'This is a fault of pve-reconciler.\n'), method);
  }
}

const MISDIRECTED =
  'This name is not known here. Use an address, or name it in STATUS_ALLOWED_HOSTS of the daemon.\n';

function send(response: ServerResponse, told: Answer, method: string): void {
  response.writeHead(told.status, headersFor(told));
  response.end(method === 'HEAD' ? undefined : told.text);
}

function closed(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/**
 * Whether a request that names this host was meant for us. An address always is. A name may be of somebody who lets it
 * point here, so that his page reads what only a browser in this network reaches (DNS rebinding): a name must be known.
 */
function isKnownHost(header: string | undefined, names: readonly string[]): boolean {
  // no browser leaves it out
  if (header === undefined) return true;
  const [, six, plain = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(header) ?? [];
  if (six !== undefined) return isIP(six) === 6;
  const name = plain.toLowerCase().replace(/\.$/, '');
  return isIP(name) === 4 || name === 'localhost' || name.endsWith('.localhost') || names.includes(name);
}
