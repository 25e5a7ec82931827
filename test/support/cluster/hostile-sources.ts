import type { Told } from './altered-cluster';
import { withData } from './altered-cluster';
import { HOSTILE } from './hostile-text';

/** Each text that can come from Proxmox. */
export const SOURCES = [
  ...[
    'guest name',
    'description',
    'tag',
    'pool',
    'storage',
    'node',
    'agent',
    'task log',
    'task end',
    'error',
  ],
  ...[
    'snapshot name',
    'snapshot description',
    'HA comment',
    'volume',
    'lock',
    'version',
    'setting of a guest',
  ],
] as const;
export type Source = (typeof SOURCES)[number];

/** What tells in an output from where a text came: letters only, so that no escaping changes it. */
export const markerOf = (source: Source): string => `zz${source.replaceAll(' ', '')}zz`;

const MORE =
  '<script>alert(1)</script>|`x`\n::set-output name=a::b\n::add-mask::c\n${TfToken[TOKEN.0]}${var.secret}%{ if true }';
const hostileText = (source: Source): string => `${markerOf(source)}${HOSTILE}${MORE}${'long '.repeat(40)}`;

const BY_KEY: Readonly<Record<string, Source>> = {
  ...{ name: 'guest name', description: 'description', comment: 'HA comment', pool: 'pool', poolid: 'pool' },
  ...{
    storage: 'storage',
    node: 'node',
    t: 'task log',
    exitstatus: 'task end',
    volid: 'volume',
    lock: 'lock',
  },
  ...{ version: 'version', release: 'version', hastate: 'HA comment', parent: 'snapshot name' },
};
const CONFIGURED = /^(?:nameserver|searchdomain|ciuser|cpu|machine|ostype|hookscript)$/;

function altered(value: unknown, source: Source | undefined, path: string): unknown {
  if (Array.isArray(value)) return value.map(inner => altered(inner, source, path));
  if (typeof value === 'string') return source === undefined ? value : value + hostileText(source);
  if (typeof value !== 'object' || value === null) return value;
  const row = value as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(row).map(([key, inner]) => {
      const configured = String(row['key']);
      if (key === 'tags' && typeof inner === 'string')
        return [key, `${inner};${markerOf('tag')}\u202e\u001b`];
      // the last line of a description is what proves a guest ours
      if (key === 'value' && configured === 'description')
        return [key, `${hostileText('description')}\n${String(inner)}`];
      if ((key === 'value' || key === 'pending') && configured === 'name')
        return [key, altered(inner, 'guest name', path)];
      if ((key === 'value' || key === 'pending') && CONFIGURED.test(configured))
        return [key, altered(inner, 'setting of a guest', path)];
      const isOfSnapshot = path.endsWith('/snapshot') && (key === 'name' || key === 'description');
      const own = isOfSnapshot ? (`snapshot ${key}` as Source) : BY_KEY[key];
      return [key, altered(inner, Array.isArray(inner) ? undefined : own, path)];
    }),
  );
}

const AGENT = {
  result: [
    {
      name: `eth0${hostileText('agent')}`,
      'hardware-address': hostileText('agent'),
      'ip-addresses': [hostileText('agent'), '10.1.2.3'].map(address => ({
        'ip-address': address,
        'ip-address-type': 'ipv4',
        prefix: 24,
      })),
    },
  ],
};

/** What a cluster says of which every text is somebody's who means no good. */
export function fromEverySource({ path }: { path: string }, told: Told): Told {
  if (path.endsWith('/agent/network-get-interfaces'))
    return { status: 200, reason: 'OK', text: JSON.stringify({ data: AGENT }) };
  if (told.status !== 200) {
    const text = hostileText('error');
    return {
      ...told,
      reason: 'refused',
      text: JSON.stringify({ data: null, message: text, errors: { [text]: text } }),
    };
  }
  return path === '/cluster/options' ? told : withData(told, data => altered(data, undefined, path));
}

/** The names that the simulator knows, of what was asked with those. */
export function withoutHostile(asked: string): string {
  return SOURCES.map(hostileText).reduce((rest, text) => {
    const inForm = new URLSearchParams({ '': text }).toString().slice(1);
    return rest.replaceAll(encodeURIComponent(text), '').replaceAll(inForm, '');
  }, asked);
}

/** A value as whoever speaks so tells it. */
export const spoken = (source: Source): string => hostileText(source);
