import type { Random } from '../../../simulator/random';
import { HANDLERS } from '../../../simulator/api/handlers';
import { parametersOf } from '../../../simulator/schema/check';
import type { Endpoint } from '../../../simulator/schema/endpoint';
import { ENDPOINTS } from '../../../simulator/schema/endpoint';
import type { Guest, World } from '../../../simulator/world';
import type { RawRequest } from '../api/raw-client';
import { pick, valueFor } from './values';

const SIMULATED = ENDPOINTS.filter(({ method, path }) => HANDLERS[`${method} ${path}`]);
// a server that is down answers nothing of all that is drawn after it
const WRITES = SIMULATED.filter(({ method, path }) => method !== 'GET' && path !== '/nodes/{node}/status');
const OF_GUESTS = WRITES.filter(({ path }) => path.startsWith('/nodes/{node}/qemu'));

/** Where an endpoint takes a hundred parameters, those that people send. */
const USUAL = [
  ...['cores', 'sockets', 'memory', 'balloon', 'cpu', 'name', 'tags', 'description', 'agent', 'boot', 'bios'],
  ...[
    'net0',
    'net1',
    'scsi0',
    'scsi1',
    'virtio0',
    'ide2',
    'sata0',
    'efidisk0',
    'unused0',
    'scsihw',
    'hotplug',
  ],
  ...['ipconfig0', 'ciuser', 'cipassword', 'nameserver', 'sshkeys', 'protection', 'numa', 'vcpus', 'smbios1'],
  ...['delete', 'revert', 'force', 'lock', 'pool', 'start', 'machine', 'hookscript'],
];

/** Optional parameters that decide whether anything happens at all. */
const CHANCES: Record<string, number> = { digest: 0.02, storage: 0.7, skiplock: 0.05 };

/** What the generator may refer to: who asks, and task ids that were given out. */
export interface FuzzContext {
  users: Record<string, string>[];
  upids: string[];
  world: World;
}

/** Draws one request from the tables of the schema. The path starts below the API's format. */
export function drawRequest(random: Random, context: FuzzContext): RawRequest {
  const endpoint = pick(random, drawTable(random));
  if (isFinal(endpoint) && random.below(8) > 0) return drawRequest(random, context);
  const odd = random.below(3) === 0 ? 10 : 1;
  const guest = random.below(100) < 88 ? pick(random, guestsOf(context.world)) : undefined;
  const properties = parametersOf(endpoint);
  const path = endpoint.path.replace(/\{(\w[\w-]*)\}/g, (_, name: string) =>
    encodeURIComponent(drawPlaceholder(random, { ...context, guest, odd }, name, endpoint)),
  );
  const params: Record<string, unknown> = {};
  const names = Object.keys(properties).filter(name => !endpoint.path.includes(`{${name}}`));
  const chance = names.length > 20 ? 0.4 / names.length : 0.25;
  for (const name of names) {
    const property = properties[name]!;
    const isUsual = names.length > 20 && USUAL.includes(name) && random.below(USUAL.length) < 2;
    const isWanted = property.optional
      ? isUsual || random.next() < (CHANCES[name] ?? chance)
      : random.below(100) < 100 - odd;
    if (isWanted) params[name] = valueFor(random, name, property, odd);
  }
  if (random.below(200) < odd)
    params[pick(random, ['bogus', '__proto__', 'constructor', 'toString', ''])] = 'x';
  const encoded = encode(random, endpoint, path, params);
  return {
    method: endpoint.method,
    ...encoded,
    headers: { ...pick(random, context.users), ...encoded.headers },
  };
}

/** Whether it takes away what most others need: soon there would be nothing but templates, or no storage. */
function isFinal({ method, path }: Endpoint): boolean {
  return (
    path.endsWith('/template') || (method === 'DELETE' && /^\/(storage|access\/users)\/[^/]+$/.test(path))
  );
}

/** The guests that this API serves; never none. */
function guestsOf({ guests }: World): (Guest | undefined)[] {
  const served = Object.values(guests).filter(({ type }) => type === 'qemu');
  return served.length > 0 ? served : [undefined];
}

function drawTable(random: Random): Endpoint[] {
  const luck = random.below(100);
  if (luck < 45) return OF_GUESTS;
  if (luck < 75) return WRITES;
  return luck < 97 ? SIMULATED : ENDPOINTS;
}

interface Drawn extends FuzzContext {
  guest: Guest | undefined;
  odd: number;
}

function drawPlaceholder(
  random: Random,
  { upids, guest, odd }: Drawn,
  name: string,
  endpoint: Endpoint,
): string {
  if (name === 'upid' && upids.length > 0 && random.below(10) > 0) return pick(random, upids);
  if (name === 'node' && guest) return guest.node;
  if (name === 'vmid' && guest) return String(guest.vmid);
  const value = valueFor(random, name, parametersOf(endpoint)[name] ?? { type: 'string' }, odd);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

type Encoded = Pick<RawRequest, 'path' | 'body'> & { headers?: Record<string, string> };

function encode(random: Random, endpoint: Endpoint, path: string, params: Record<string, unknown>): Encoded {
  const { method } = endpoint;
  if (method === 'GET' || method === 'DELETE') {
    const query = form(random, params);
    return query === '' ? { path } : { path: `${path}?${query}` };
  }
  const luck = random.below(100);
  if (endpoint.path.endsWith('/upload'))
    return typed(path, 'multipart/form-data; boundary=b', multipart(random, params));
  if (luck < 65) return { path, body: form(random, params) };
  if (luck < 92) return typed(path, 'application/json', JSON.stringify(params));
  if (luck < 93) return typed(path, 'multipart/form-data; boundary=b', multipart(random, params));
  return typed(
    path,
    pick(random, ['application/json', 'application/x-www-form-urlencoded', 'text/plain', 'x']),
    garbage(random),
  );
}

const typed = (path: string, type: string, body: string | Buffer): Encoded => ({
  path,
  body,
  headers: { 'content-type': type },
});

function form(random: Random, params: Record<string, unknown>): string {
  const pairs = Object.entries(params).flatMap(([key, value]) =>
    (Array.isArray(value) ? value : [value]).map(
      each =>
        `${encodeURIComponent(key)}=${encodeURIComponent(typeof each === 'object' ? JSON.stringify(each) : String(each))}`,
    ),
  );
  return pairs.join(random.below(50) === 0 ? ';' : '&');
}

function multipart(random: Random, params: Record<string, unknown>): Buffer {
  const fields = Object.entries(params)
    .filter(() => random.below(5) > 0)
    .map(
      ([key, value]) =>
        `--b\r\nContent-Disposition: form-data; name="${key.replace(/[^\w-]/g, '')}"${key === 'filename' ? `; filename="${pick(random, ['a.iso', '', 'ä b.iso', '../x.iso'])}"` : ''}\r\n\r\n${typeof value === 'object' ? '' : String(value)}\r\n`,
    );
  return Buffer.from(`${fields.join('')}--b${random.below(5) > 0 ? '--' : ''}\r\n`);
}

/** Bytes of no meaning. */
export function garbage(random: Random, most = 400): Buffer {
  return Buffer.from(Array.from({ length: random.below(most) }, () => random.below(256)));
}
