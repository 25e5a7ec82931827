import type { Volume } from '../world';

/** What a storage type can do and how it names volumes. */
export interface Plugin {
  /** `file`: images/VMID/name.format below a path. `block`: a bare name. `dataset`: a bare name, behind its base for clones. */
  naming: 'file' | 'block' | 'dataset';
  formats: readonly string[];
  /** The first is what Proxmox takes when nobody says. */
  defaultFormat: string;
  /** The word of "unable to parse … volume name". */
  word: string;
  /** Disk numbers are counted for all formats together. */
  oneCount: boolean;
  /** Sizes are rounded up to this many bytes. */
  extent: number;
  /** A volume takes its whole size at once. */
  thick: boolean;
  /** Whether a clone depends on its base volume from then on. */
  cloneKeepsBase: boolean;
  features: Readonly<Record<string, Features>>;
}

/** The formats that have a feature, by the state of the volume. */
interface Features {
  base?: readonly string[];
  current?: readonly string[];
  snap?: readonly string[];
}

const FILES = ['raw', 'qcow2', 'vmdk'] as const;
const RAW = ['raw'] as const;

const FILE_FEATURES: Plugin['features'] = {
  snapshot: { current: ['qcow2'], snap: ['qcow2'] },
  clone: { base: FILES },
  template: { current: [...FILES, 'subvol'] },
  copy: { base: FILES, current: FILES, snap: ['qcow2'] },
  sparseinit: { base: FILES, current: FILES },
  rename: { current: FILES },
};

const file = (oneCount: boolean): Plugin => ({
  naming: 'file',
  formats: FILES,
  defaultFormat: 'raw',
  word: 'directory',
  oneCount,
  extent: 1024,
  thick: false,
  cloneKeepsBase: true,
  features: FILE_FEATURES,
});

const block = {
  formats: RAW,
  defaultFormat: 'raw',
  oneCount: true,
  extent: 4 * 1024 ** 2,
  thick: false,
} as const;

const PLUGINS: Record<string, Plugin> = {
  dir: file(true),
  // PVE: only types that also know subvolumes count over all formats
  nfs: file(false),
  cifs: file(false),
  cephfs: file(false),
  btrfs: file(true),
  lvmthin: {
    ...block,
    naming: 'block',
    word: 'lvm',
    cloneKeepsBase: false,
    features: {
      snapshot: { current: RAW },
      clone: { base: RAW, snap: RAW },
      template: { current: RAW },
      copy: { base: RAW, current: RAW, snap: RAW },
      sparseinit: { base: RAW, current: RAW },
      rename: { current: RAW },
    },
  },
  lvm: {
    ...block,
    naming: 'block',
    word: 'lvm',
    thick: true,
    cloneKeepsBase: false,
    features: { copy: { base: RAW, current: RAW }, rename: { current: RAW } },
  },
  zfspool: {
    ...block,
    naming: 'dataset',
    word: 'zfs',
    extent: 1024 ** 2,
    cloneKeepsBase: true,
    features: {
      snapshot: { current: RAW, snap: RAW },
      clone: { base: RAW },
      template: { current: RAW },
      copy: { base: RAW, current: RAW },
      sparseinit: { base: RAW, current: RAW },
      rename: { current: RAW },
      replicate: { base: RAW, current: RAW },
    },
  },
  rbd: {
    ...block,
    naming: 'dataset',
    word: 'rbd',
    cloneKeepsBase: true,
    features: {
      snapshot: { current: RAW, snap: RAW },
      clone: { base: RAW, snap: RAW },
      template: { current: RAW },
      copy: { base: RAW, current: RAW, snap: RAW },
      sparseinit: { base: RAW, current: RAW },
      rename: { current: RAW },
    },
  },
};

/** The plugin of a storage type; unknown types behave as `dir`. */
export function pluginOf(type: string): Plugin {
  return PLUGINS[type] ?? file(true);
}

/** Whether volumes of this type are files below a path, so that it can also hold ISO images, imports and snippets. */
export function isFileStorage(type: string): boolean {
  return pluginOf(type).naming === 'file';
}

/** Whether the plugin has the feature for such a volume; `snapname` asks about a snapshot of it. */
export function pluginHas(plugin: Plugin, feature: string, volume: Volume, snapname?: string): boolean {
  const state = snapname !== undefined ? 'snap' : isBaseName(volume.volid) ? 'base' : 'current';
  return plugin.features[feature]?.[state]?.includes(volume.format) ?? false;
}

/** Whether a volume id names the volume of a template. */
export function isBaseName(volid: string): boolean {
  return /^(?:base|basevol)-/.test(volid.slice(Math.max(volid.lastIndexOf('/'), volid.indexOf(':')) + 1));
}
