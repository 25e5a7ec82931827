import type { Simulator } from '../../../simulator';
import { defaultWorld, startSimulator } from '../../../simulator';
import type { RawAnswer } from '../api/raw-client';
import { sendRaw } from '../api/raw-client';
import { recordedCluster } from './recorded-world';

export const PASSWORD = 'root-password';

type Options = NonNullable<Parameters<typeof startSimulator>[1]>;

/** A simulator with the world of the recordings, where every task is done at once. */
export function startRecorded(options: Options = {}): Promise<Simulator> {
  return startSimulator(recordedCluster(PASSWORD), { taskMs: 0, ...options });
}

/** A simulator with the default world and root's token `test`. */
export function startDefault(options: Options = {}, nodes = 3, guests = 0): Promise<Simulator> {
  const world = defaultWorld(nodes, guests);
  const root = world.access.users['root@pam']!;
  root.password = PASSWORD;
  root.tokens['full'] = { value: TOKENS.full, privsep: false };
  return startSimulator(world, { taskMs: 0, ...options });
}

const TOKENS = { full: '11111111-1111-4111-8111-111111111111' };

export const ROOT_TOKEN = `PVEAPIToken=root@pam!full=${TOKENS.full}`;

export interface Answered extends RawAnswer {
  /** The body's JSON; undefined where it is none. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into whatever came
  json: any;
}

export interface Asking {
  headers?: Record<string, string>;
  /** Sent as a form. */
  form?: Record<string, string>;
  json?: unknown;
}

/** Asks once, as root's token unless the headers say otherwise. */
export async function ask(
  { url }: Pick<Simulator, 'url'>,
  method: string,
  path: string,
  { headers = { authorization: ROOT_TOKEN }, form, json }: Asking = {},
): Promise<Answered> {
  const body = form
    ? new URLSearchParams(form).toString()
    : json === undefined
      ? undefined
      : JSON.stringify(json);
  const type = json === undefined ? 'application/x-www-form-urlencoded' : 'application/json';
  const answer = await sendRaw(url, {
    method,
    path: path.startsWith('/_sim') ? path : `/api2/json${path}`,
    headers: body === undefined ? headers : { ...headers, 'content-type': type },
    ...(body === undefined ? {} : { body }),
  });
  return { ...answer, json: parsed(answer.text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
