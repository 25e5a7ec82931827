import { loadWorld, startSimulator } from '../../../simulator';
import { sendRaw } from '../api/raw-client';

const ROOT_SECRET = '11111111-1111-4111-8111-111111111111';

export interface ApiAnswer {
  status: number;
  reason: string;
  /** The parsed body; undefined when there is none. */
  body: any; // eslint-disable-line @typescript-eslint/no-explicit-any -- a test reads whatever the wire gave
}

export interface EndedTask {
  exitstatus: string;
  type: string;
  id: string;
  log: string[];
}

/** A simulator with this world, spoken to as raw HTTP with root's own ticket or anybody's token. Tasks take `taskMs`, or no time. */
export async function openApi(world: Record<string, unknown>, taskMs = 0) {
  const loaded = loadWorld({
    nodes: [{ name: 'pve1' }, { name: 'pve2' }],
    cluster: { name: 'test' },
    realms: { pam: { type: 'pam', default: 1 }, pve: { type: 'pve' } },
    users: { 'root@pam': { enable: 1, password: 'root' } },
    tokens: { 'root@pam!t': { privsep: 0, value: ROOT_SECRET } },
    ...world,
  });
  const simulator = await startSimulator(loaded, { seed: 7, taskMs });
  const base = `${simulator.url}/api2/json`;
  const login = await sendRaw(base, {
    method: 'POST',
    path: '/access/ticket',
    body: 'username=root%40pam&password=root',
  });
  const { ticket, CSRFPreventionToken } = JSON.parse(login.text).data;
  const root = {
    cookie: `PVEAuthCookie=${encodeURIComponent(ticket)}`,
    csrfpreventiontoken: CSRFPreventionToken,
  };

  const send = async (
    method: string,
    path: string,
    { params = {}, headers = root, body }: SendOptions = {},
  ): Promise<ApiAnswer> => {
    const form = new URLSearchParams(params).toString();
    const writes = method === 'PUT' || method === 'POST';
    const content = body ?? (writes && form !== '' ? form : undefined);
    const query = !writes && form !== '' ? `?${form}` : '';
    const answer = await sendRaw(base, {
      method,
      path: path + query,
      headers,
      ...(content === undefined ? {} : { body: content }),
    });
    const parsed = answer.text === '' ? undefined : JSON.parse(answer.text);
    return { status: answer.status, reason: answer.reason, body: parsed };
  };

  /** Sends a request and waits for the end of the task that it starts. */
  const task = async (method: string, path: string, options?: SendOptions): Promise<EndedTask> => {
    const { status, reason, body } = await send(method, path, options);
    const upid = body?.data;
    if (status !== 200 || typeof upid !== 'string') throw new Error(`no task: ${status} ${reason}`);
    await simulator.sim.tasks.ended(upid);
    const at = `/nodes/${upid.split(':')[1]}/tasks/${encodeURIComponent(upid)}`;
    const { exitstatus, type, id } = (await send('GET', `${at}/status`)).body.data;
    const lines = (await send('GET', `${at}/log`, { params: { limit: '0' } })).body.data;
    return { exitstatus, type, id, log: lines.map(({ t }: { t: string }) => t) };
  };

  const token = (id: string, secret: string): Record<string, string> => ({
    authorization: `PVEAPIToken=${id}=${secret}`,
  });
  return { send, task, token, root, sim: simulator.sim, close: () => simulator.close() };
}

interface SendOptions {
  params?: Record<string, string>;
  headers?: Record<string, string>;
  body?: string | Buffer;
}
