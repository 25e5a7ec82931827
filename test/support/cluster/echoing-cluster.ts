import type { ServerResponse } from 'node:http';
import { newIdentity } from '../../../simulator/wire/certificate';
import { answeringServer, type Received } from '../api/answering-server';
import { NODE, NODES, NODE_STORAGES, STORAGES } from './echoed-listing';
import { programAccess } from './program-access';

type Config = Record<string, unknown>;

interface EchoedGuest {
  node: string;
  status: string;
  config: Config;
  snapshots: Record<string, unknown>[];
}

/** How one fake differs from another. */
export interface EchoStyle {
  /** The answer to a request that it does not have. */
  lacks?: { status: number; text: string };
  /** The answer where a guest is not there. */
  gone?: { status: number; text: string };
  upid?: (task: { node: string; type: string; vmid: number; count: number }) => unknown;
  /** What is told of a task; undefined: it is not known. */
  task?: (isOver: boolean) => object | undefined;
  /** What else it answers; that comes first. */
  answers?: (request: { method: string; path: string }) => unknown;
  /** Where a configuration is told row by row too. */
  hasPending?: boolean;
}

interface Answer {
  status: number;
  text: string;
}

const data = (value: unknown): Answer => ({ status: 200, text: JSON.stringify({ data: value }) });

/**
 * A fake of Proxmox as people write them for their own tests (mock-pve-api eb84849, pvetui's pve-mock-api, a dozen
 * of Python and Go): it keeps what it is sent as it was sent, and has the few requests that its program needs.
 */
export async function echoingCluster(style: EchoStyle = {}) {
  const guests = new Map<number, EchoedGuest>();
  const identity = newIdentity([]);
  const fake = new Fake(guests, style);
  const server = await answeringServer((request, response: ServerResponse) => {
    const { status, text } = fake.answer(request);
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  }, identity);
  return {
    guests,
    access: programAccess({ url: server.url, ca: identity.ca }),
    /** The writes since the last call. */
    writes: () =>
      server.received
        .splice(0)
        .filter(({ method }) => method !== 'GET')
        .map(({ method, url }) => `${method} ${url.replace('/api2/json', '')}`),
    close: () => server.close(),
  };
}

class Fake {
  private readonly tasks = new Map<string, number>();
  private revision = 0;

  constructor(
    private readonly guests: Map<number, EchoedGuest>,
    private readonly style: EchoStyle,
  ) {}

  answer({ method, url, body }: Received): Answer {
    const { pathname, searchParams } = new URL(url, 'https://fake');
    const path = decodeURIComponent(pathname.replace('/api2/json', ''));
    const own = this.style.answers?.({ method, path });
    if (own !== undefined) return data(own);
    const sent: Config = Object.fromEntries([...searchParams, ...new URLSearchParams(body)]);
    return (
      this.cluster(method, path) ??
      this.node(method, path, sent) ??
      this.guest(method, path, sent) ??
      this.lacks()
    );
  }

  private lacks(): Answer {
    return this.style.lacks ?? { status: 501, text: '{"errors":{"message":"not implemented"}}' };
  }

  private cluster(method: string, path: string): Answer | undefined {
    if (method !== 'GET') return undefined;
    if (path === '/version') return data({ version: '8.2', release: '8.2', repoid: 'f123456c' });
    if (path === '/cluster/tasks') return data([]);
    if (path === '/cluster/status')
      return data([
        { id: 'cluster/lab', name: 'lab', type: 'cluster', quorate: 1, nodes: 1 },
        { id: `node/${NODE}`, name: NODE, type: 'node', ip: '127.0.0.1', online: 1, local: 1 },
      ]);
    if (path === '/cluster/resources') return data([...NODES, ...STORAGES, ...this.rows()]);
    return undefined;
  }

  private rows(): object[] {
    return [...this.guests].map(([vmid, { node, status, config }]) => ({
      ...{ id: `qemu/${vmid}`, vmid, type: 'qemu', node, status, name: config['name'], tags: config['tags'] },
      ...{ template: config['template'] ?? 0, maxcpu: 1, maxmem: 1_073_741_824, uptime: 0 },
    }));
  }

  private node(method: string, path: string, sent: Config): Answer | undefined {
    const [, node = '', what = ''] = /^\/nodes\/(\w+)\/(.*)$/.exec(path) ?? [];
    if (node === '') return undefined;
    if (what === 'qemu' && method === 'POST') return this.make(node, sent);
    if (method !== 'GET') return undefined;
    if (what === 'qemu') return data(this.rows());
    if (what === 'storage') return data(NODE_STORAGES);
    if (what === 'network') return data([{ iface: 'vmbr0', type: 'bridge', active: 1 }]);
    const upid = /^tasks\/([^/]+)\/status$/.exec(what)?.[1];
    return upid === undefined ? undefined : this.task(node, upid);
  }

  private make(node: string, { vmid: id, ...config }: Config): Answer {
    const vmid = Number(id);
    if (this.guests.has(vmid)) return { status: 400, text: `vmid ${vmid} already exists\n` };
    this.guests.set(vmid, { node, status: 'stopped', config: {}, snapshots: [] });
    this.write(vmid, config);
    return this.began(node, 'qmcreate', vmid);
  }

  private task(node: string, upid: string): Answer {
    const until = this.tasks.get(upid);
    const told =
      until === undefined ? undefined : (this.style.task ?? USUAL_TASK)(performance.now() >= until);
    return told ? data({ upid, node, pid: 1234, ...told }) : { status: 404, text: 'Task not found\n' };
  }

  private write(vmid: number, sent: Config): void {
    const guest = this.guests.get(vmid);
    if (!guest) return;
    this.revision += 1;
    const { digest: _, background_delay: __, delete: gone = '', ...keys } = sent;
    guest.config = { ...guest.config, ...keys, digest: `digest_${this.revision}` };
    for (const key of String(gone).split(',')) delete guest.config[key];
  }

  private began(node: string, type: string, vmid: number): Answer {
    const count = this.tasks.size + 1;
    const upid = (this.style.upid ?? USUAL_UPID)({ node, type, vmid, count });
    if (typeof upid === 'string') this.tasks.set(upid, performance.now() + 30);
    return data(upid);
  }

  private guest(method: string, path: string, sent: Config): Answer | undefined {
    const [, node = '', id = '', what = ''] = /^\/nodes\/(\w+)\/qemu\/(\d+)(.*)$/.exec(path) ?? [];
    if (node === '') return undefined;
    const [vmid, guest] = [Number(id), this.guests.get(Number(id))];
    if (!guest) return this.style.gone ?? { status: 404, text: 'VM not found\n' };
    if (what === '' && method === 'DELETE') {
      this.guests.delete(vmid);
      return this.began(node, 'qmdestroy', vmid);
    }
    if (what === '/config' && method !== 'GET') {
      this.write(vmid, sent);
      return data(null);
    }
    if (what === '/config') return data(guest.config);
    if (what === '/pending' && this.style.hasPending)
      return data(Object.entries(guest.config).map(([key, value]) => ({ key, value })));
    if (what === '/status/current')
      return data({
        vmid,
        name: guest.config['name'],
        status: guest.status,
        qmpstatus: guest.status,
        lock: null,
        ha: { managed: 0 },
      });
    const verb = /^\/status\/(\w+)$/.exec(what)?.[1];
    if (verb !== undefined && method === 'POST') {
      guest.status = ['stop', 'shutdown'].includes(verb) ? 'stopped' : 'running';
      return this.began(node, `qm${verb}`, vmid);
    }
    if (what.startsWith('/snapshot')) return this.snapshot(method, what, vmid, guest, sent);
    return undefined;
  }

  private snapshot(
    method: string,
    what: string,
    vmid: number,
    guest: EchoedGuest,
    sent: Config,
  ): Answer | undefined {
    const [, name = '', more = ''] = /^\/snapshot(?:\/([^/]+))?(.*)$/.exec(what) ?? [];
    if (name === '' && method === 'GET')
      return data([
        { name: 'current', description: 'You are here!', snaptime: 0, parent: null },
        ...guest.snapshots,
      ]);
    if (name === '' && method === 'POST') {
      guest.snapshots.push({
        name: sent['snapname'],
        description: sent['description'],
        snaptime: 1_700_000_000 + guest.snapshots.length,
        vmstate: 0,
        parent: null,
        config: { ...guest.config },
      });
      return this.began(guest.node, 'qmsnapshot', vmid);
    }
    const snapshot = guest.snapshots.find(each => each['name'] === name);
    if (!snapshot)
      return { status: 404, text: JSON.stringify({ errors: { message: `Snapshot '${name}' not found` } }) };
    if (more === '/config' && method === 'GET') return data(snapshot['config']);
    if (more === '/rollback') {
      guest.config = { ...(snapshot['config'] as Config) };
      return this.began(guest.node, 'qmrollback', vmid);
    }
    if (method !== 'DELETE') return undefined;
    guest.snapshots = guest.snapshots.filter(each => each !== snapshot);
    return this.began(guest.node, 'qmdelsnapshot', vmid);
  }
}

const USUAL_UPID: NonNullable<EchoStyle['upid']> = ({ node, type, vmid, count }) =>
  `UPID:${node}:${count.toString(16).padStart(8, '0')}:00000000:00000000:${type}:${vmid}:root@pam:`;
const USUAL_TASK: NonNullable<EchoStyle['task']> = isOver =>
  isOver ? { status: 'stopped', exitstatus: 'OK' } : { status: 'running' };
