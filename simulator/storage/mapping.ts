import { fail } from '../failure';
import { splitList } from '../perl-text';

/** Where volumes of a storage go: `1` keeps each where it is, `a:b` maps one, a bare name takes all others. */
export interface StorageMap {
  identity: boolean;
  fallback?: string;
  entries: Record<string, string>;
}

const ID = /^[a-z][a-z0-9\-_.]*[a-z0-9]$/i;

/** Reads a storage map. Fails with Proxmox's texts. */
export function parseStorageMap(text: string): StorageMap {
  const map: StorageMap = { identity: false, entries: {} };
  for (const entry of splitList(text)) {
    if (entry === '1') {
      map.identity = true;
      continue;
    }
    const [source = '', target, ...rest] = entry.split(':');
    const names = target !== undefined && rest.length === 0 ? [source, target] : [entry];
    const wrong = names.find(name => !ID.test(name));
    if (wrong !== undefined) {
      fail(`entry '${entry}' contains invalid ID - storage ID '${wrong}' contains illegal characters\n`);
    }
    addEntry(map, names);
  }
  if (map.identity && (map.fallback !== undefined || Object.keys(map.entries).length > 0)) {
    fail('identity mapping cannot be combined with other mappings');
  }
  return map;
}

function addEntry(map: StorageMap, [source = '', target]: string[]): void {
  if (target === undefined) {
    if (map.fallback !== undefined) fail('default target ID can only be provided once');
    map.fallback = source;
    return;
  }
  if (map.entries[source] !== undefined) fail(`duplicate mapping for source '${source}'`);
  map.entries[source] = target;
}

/** The storage that takes what stands on this one. */
export function mapStorage(map: StorageMap | undefined, storage: string): string {
  if (map === undefined || map.identity) return storage;
  return map.entries[storage] ?? map.fallback ?? storage;
}
