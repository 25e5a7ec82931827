/** The only node of a fake. */
export const NODE = 'pve';

/** What a fake lists beside its guests, always the same. */
export const NODES = [
  {
    ...{ id: `node/${NODE}`, type: 'node', node: NODE, status: 'online', uptime: 10_000 },
    ...{ maxcpu: 16, cpu: 0.1, maxmem: 34_359_738_368, mem: 1e9, maxdisk: 1e12 },
  },
];

const TAKES = { local: ['dir', 'iso,vztmpl,backup,snippets'], 'local-lvm': ['lvmthin', 'images,rootdir'] };

export const STORAGES = Object.entries(TAKES).map(([storage, [plugintype, content]]) => ({
  ...{ id: `storage/${NODE}/${storage}`, type: 'storage', node: NODE, storage, plugintype, content },
  ...{ status: 'available', maxdisk: 1e12, disk: 1e10, shared: 0 },
}));

export const NODE_STORAGES = Object.entries(TAKES).map(([storage, [type, content]]) => ({
  ...{ storage, type, content, shared: 0, active: true, enabled: 1, total: 1e12, used: 1e10 },
}));
