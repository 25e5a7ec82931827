import type { ServerResponse } from 'node:http';
import type { Simulator } from '../../../simulator';
import { newIdentity } from '../../../simulator/wire/certificate';
import type { Received } from '../api/answering-server';
import { answeringServer } from '../api/answering-server';
import { sendRaw } from '../api/raw-client';

export interface Told {
  status: number;
  reason: string;
  /** The body as it is sent. */
  text: string;
}

/** Changes an answer of the simulator before it goes on; the path is without its base. */
type Alter = (request: { method: string; path: string; body: string }, told: Told) => Told;

/** The same answer with other data. */
export function withData(told: Told, change: (data: unknown) => unknown): Told {
  if (told.status !== 200) return told;
  const body = JSON.parse(told.text) as { data: unknown };
  return { ...told, text: JSON.stringify({ ...body, data: change(body.data) }) };
}

/** A server that speaks for a simulator in its own way: another Proxmox, a fake of one, or somebody who means no good. */
export async function alteredCluster(
  simulator: Pick<Simulator, 'url'>,
  alter: Alter,
  /** What the simulator is asked, where the answers hold other names than it knows. */
  understood: (asked: string) => string = asked => asked,
  scheme: 'https' | 'http' = 'https',
) {
  const identity = newIdentity([]);
  const answer = async (request: Received, response: ServerResponse): Promise<void> => {
    const { method, headers } = request;
    const [url, body] = [understood(request.url), understood(request.body)];
    const told = await sendRaw(simulator.url, {
      method,
      path: url,
      headers: given(headers),
      ...(body === '' ? {} : { body }),
    });
    const path = decodeURIComponent(url.replace('/api2/json', '').replace(/\?.*/, ''));
    const { status, reason, text } = alter({ method, path, body }, told);
    response.writeHead(status, Buffer.from(reason).toString('latin1'), {
      'content-type': 'application/json',
    });
    response.end(text);
  };
  const server = await answeringServer(
    (request, response) => void answer(request, response).catch(() => response.destroy()),
    scheme === 'https' ? identity : undefined,
  );
  return {
    url: server.url,
    ca: identity.ca,
    /** The way to it, as a program's environment names it. */
    access: { PVE_ENDPOINT: server.url, PVE_CA_BUNDLE: scheme === 'https' ? identity.ca : '' },
    close: () => server.close(),
  };
}

function given(headers: Received['headers']): Record<string, string> {
  const names = ['authorization', 'content-type', 'cookie', 'csrfpreventiontoken'];
  return Object.fromEntries(
    names.flatMap(name => (typeof headers[name] === 'string' ? [[name, headers[name]]] : [])),
  );
}
