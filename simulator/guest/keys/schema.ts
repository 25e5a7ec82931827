import { findNamed } from '../../own-keys';
import { parametersOf } from '../../schema/check';
import type { Property, PropertyStringFormat } from '../../schema/endpoint';
import { ENDPOINTS } from '../../schema/endpoint';
import { parsePropertyString } from '../../schema/property-string';

const READ_ONLY: Record<string, Property> = {
  meta: { type: 'string' },
  parent: { type: 'string' },
  runningcpu: { type: 'string' },
  runningmachine: { type: 'string' },
  'running-nets-host-mtu': { type: 'string' },
  snaptime: { type: 'integer' },
  vmstate: { type: 'string' },
};

const NOT_CONFIG = ['node', 'vmid', 'delete', 'revert', 'digest', 'force', 'skiplock', 'background_delay'];

const PROPERTIES: Record<string, Property> = { ...READ_ONLY };
const update = ENDPOINTS.find(
  ({ method, path }) => method === 'PUT' && path === '/nodes/{node}/qemu/{vmid}/config',
);
for (const [key, property] of Object.entries(update ? parametersOf(update) : {})) {
  if (!NOT_CONFIG.includes(key)) PROPERTIES[key] = property;
}

/** The schema of one key of a guest's configuration; undefined for a key that no configuration has. */
export function configProperty(key: string): Property | undefined {
  return findNamed(PROPERTIES, key);
}

/** The property string format of a key, where it has one. */
export function configFormat(key: string): string | PropertyStringFormat | undefined {
  return configProperty(key)?.format;
}

/** What a property string of a key says, by name; nothing where the key has no such format. */
export function configValues(key: string, value: string): Record<string, string> {
  const format = configFormat(key);
  return format === undefined ? {} : parsePropertyString(format, value);
}
