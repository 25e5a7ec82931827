import { digestOfSections } from '../cluster/section-config';
import type { Sim } from '../cluster/sim';
import type { Config, Storage } from '../world';
import { pluginOf } from './plugins';
import { contentOf, isOn, spaceOf } from './on-node';

type Row = Record<string, unknown>;

/** A storage's section of storage.cfg, without its id and type. */
function settingsOf({ content, path, shared, enabled, nodes, options, type }: Storage): Config {
  const shows = shared && !ALWAYS_SHARED.includes(type);
  return {
    ...options,
    content,
    ...(path === undefined ? {} : { path }),
    ...(nodes === undefined ? {} : { nodes: nodes.join(',') }),
    ...(shows ? { shared: '1' } : {}),
    ...(enabled ? {} : { disable: '1' }),
  };
}

// PVE: network storages are shared by their type, their sections do not say so
const ALWAYS_SHARED = ['nfs', 'cifs', 'cephfs', 'rbd', 'pbs', 'iscsi'];
const NUMBERS = [
  'shared disable sparse mkdir krbd fuse saferemove port tagged_only is_mountpoint create-base-path',
  'create-subdirs nowritecache snapshot-as-volume-chain max-protected-backups',
].flatMap(names => names.split(' '));

/** The digest of storage.cfg. */
export function storageDigest(sim: Sim): string {
  return digestOfSections(
    sim.world.storages.map(storage => ({
      type: storage.type,
      id: storage.storage,
      settings: settingsOf(storage),
    })),
  );
}

/** A storage as GET /storage shows it. */
export function storageConfigRow(sim: Sim, storage: Storage): Row {
  const settings = Object.entries(settingsOf(storage)).map(([key, value]) => [
    key,
    NUMBERS.includes(key) ? Number(value) : value,
  ]);
  return {
    ...Object.fromEntries(settings),
    storage: storage.storage,
    type: storage.type,
    digest: storageDigest(sim),
  };
}

/** A storage's state on a node, as GET status shows it. */
export function storageStatus(sim: Sim, node: string, storage: Storage): Row {
  const enabled = isUsable(storage, node);
  const space = enabled ? spaceOf(sim, node, storage) : { used: 0, avail: 0 };
  return {
    type: storage.type,
    content: storage.content,
    shared: Number(storage.shared),
    enabled: Number(enabled),
    active: Number(enabled),
    total: enabled ? storage.total : 0,
    ...space,
  };
}

/** A storage's row in a node's list; `formats` adds what disks it takes. */
export function storageListRow(sim: Sim, node: string, storage: Storage, formats: boolean): Row {
  const status = storageStatus(sim, node, storage);
  const { used } = spaceOf(sim, node, storage);
  return {
    storage: storage.storage,
    ...status,
    ...(isUsable(storage, node) ? { used_fraction: used / storage.total } : {}),
    ...(formats ? formatFacts(storage) : {}),
  };
}

/** Whether a storage is enabled and meant for the node. */
export function isUsable(storage: Storage, node: string): boolean {
  return storage.enabled && isOn(storage, node);
}

/** Whether a storage takes at least one of these kinds of content. */
export function takesAny(storage: Storage, contents: string[]): boolean {
  return contents.some(content => contentOf(storage).includes(content));
}

function formatFacts({ type }: Storage): Row {
  const { formats, defaultFormat, oneCount } = pluginOf(type);
  const supported = [...formats, ...(oneCount && formats.length > 1 ? ['subvol'] : [])].sort();
  return {
    format: [Object.fromEntries(supported.map(format => [format, 1])), defaultFormat],
    formats: { supported, default: defaultFormat },
  };
}
