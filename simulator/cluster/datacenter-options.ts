import type { PropertyStringFormat } from '../schema/endpoint';
import { ENDPOINTS } from '../schema/endpoint';
import { splitList } from '../perl-text';
import { parsePropertyString } from '../schema/property-string';
import type { Config } from '../world';

const PROPERTIES =
  ENDPOINTS.find(({ method, path }) => method === 'PUT' && path === '/cluster/options')?.parameters
    .properties ?? {};

/** The format of an option that is a property string; undefined for plain ones. */
export function datacenterFormat(option: string): PropertyStringFormat | undefined {
  const format = PROPERTIES[option]?.format;
  return typeof format === 'object' ? format : undefined;
}

/** Options that Proxmox parses before it shows them; the others, bwlimit too, stay text. */
const PARSED = new Set([
  'crs',
  'ha',
  'location',
  'migration',
  'next-id',
  'notify',
  'replication',
  'tag-style',
  'u2f',
  'user-tag-access',
  'webauthn',
]);

/** The datacenter's options as the API shows them: property strings as objects, whose numbers stay text. */
export function shownOptions(options: Config): Record<string, unknown> {
  const shown = Object.entries(options).map(([name, raw]): [string, unknown] => [
    name,
    shownOption(name, raw),
  ]);
  return { description: '', mac_prefix: 'BC:24:11', ...Object.fromEntries(shown) };
}

function shownOption(name: string, raw: string): unknown {
  const format = datacenterFormat(name);
  if (format && PARSED.has(name)) return shownObject(format, raw);
  if (name === 'registered-tags') return splitList(raw);
  // the description is kept in comment lines, and comes back with an end of line (recording c4, step 3)
  if (name === 'description') return raw === '' ? '' : `${raw.replace(/\n$/, '')}\n`;
  if (name === 'console' && raw === 'applet') return 'html5';
  return PROPERTIES[name]?.type === 'boolean' ? Number(raw) : raw;
}

function shownObject(format: PropertyStringFormat, raw: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(parsePropertyString(format, raw)).map(([key, value]): [string, unknown] => {
      if (key === 'user-allow-list') return [key, splitList(value)];
      return [key, format.properties[key]?.type === 'boolean' ? Number(value) : value];
    }),
  );
}
