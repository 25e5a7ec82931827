import { hasPrivileges } from '../../access/privileges';
import type { Call, HandlerTable } from '../../cluster/call';
import { fail } from '../../failure';
import { needQuorum } from '../../cluster/quorum';
import { splitList } from '../../perl-text';
import { storageConfigRow, storageDigest } from '../../storage/rows';
import { isEverywhere, storageNamed } from '../../storage/on-node';
import type { Config, Storage } from '../../world';

const SEES = ['Datastore.Audit', 'Datastore.AllocateSpace'];
const GiB = 1024 ** 3;

/** The definitions of storages: storage.cfg. */
export const storageConfigHandlers: HandlerTable = {
  'GET /storage': ({ sim, user, params }) =>
    sim.world.storages
      .filter(({ type }) => params['type'] === undefined || params['type'] === type)
      .filter(({ storage }) => hasPrivileges(sim, user, `/storage/${storage}`, SEES, true))
      .map(storage => storageConfigRow(sim, storage)),
  'GET /storage/{storage}': ({ sim, params }) =>
    storageConfigRow(sim, storageNamed(sim, params['storage'] ?? '')),
  'POST /storage': create,
  'PUT /storage/{storage}': update,
  'DELETE /storage/{storage}': remove,
};

interface TypeRules {
  required: string[];
  /** Set once at the creation, as what is required is. */
  fixed?: string[];
  content: string;
  shared: boolean;
}

/** The types whose flag `shared` a person may set; for the others the type says it. */
const MAY_SHARE = ['dir', 'lvm'];

/** The types that Proxmox mounts below /mnt/pve. */
const MOUNTED = ['nfs', 'cifs', 'cephfs'];

const TYPES: Record<string, TypeRules> = {
  dir: { required: ['path'], content: 'images,rootdir', shared: false },
  btrfs: { required: ['path'], content: 'images,rootdir', shared: false },
  nfs: { required: ['server', 'export'], fixed: ['path'], content: 'images', shared: true },
  cifs: { required: ['server', 'share'], fixed: ['path'], content: 'images', shared: true },
  lvm: { required: ['vgname'], content: 'images,rootdir', shared: false },
  lvmthin: { required: ['thinpool', 'vgname'], content: 'images,rootdir', shared: false },
  zfspool: { required: ['pool'], content: 'images,rootdir', shared: false },
  rbd: { required: [], content: 'images', shared: true },
  // not recorded: assumed
  cephfs: { required: [], fixed: ['path'], content: 'backup', shared: true },
};

function create({ sim, params }: Call): unknown {
  const { storage: id = '', type = '' } = params;
  const rules = TYPES[type] ?? fail(`the simulator has no storages of type '${type}'`);
  checkOptions(type, params);
  const missing = rules.required.find(key => params[key] === undefined);
  if (missing !== undefined) fail(`missing value for required option '${missing}'`);
  const { path = '' } = params;
  // pve-storage, PVE::Storage::DirPlugin as read
  if (type === 'dir' && !/^\/[-/a-zA-Z0-9_.@]+$/.test(path)) {
    fail(`illegal path for directory storage: ${path}`);
  }
  checkQuorum(sim.world, 'create');
  if (sim.world.storages.some(({ storage }) => storage === id)) {
    fail(`create storage failed: storage ID '${id}' already defined`);
  }
  const storage: Storage = {
    storage: id,
    type,
    content: rules.content,
    shared: rules.shared,
    enabled: true,
    total: 100 * GiB,
  };
  if (MOUNTED.includes(type)) storage.path = `/mnt/pve/${id}`;
  apply(storage, params);
  if (type === 'dir') storage.everywhere = isBelowShared(sim.world, storage.path ?? '');
  sim.world.storages.push(storage);
  return { storage: id, type };
}

function update({ sim, params, endpoint }: Call): unknown {
  checkQuorum(sim.world, 'update');
  const { storage: id = '', digest, delete: deleted = '' } = params;
  if (digest !== undefined && digest !== storageDigest(sim)) {
    fail('update storage failed: detected modified configuration - file changed by other user? Try again.');
  }
  const storage = sim.world.storages.find(each => each.storage === id);
  if (!storage) return fail(`update storage failed: storage '${id}' does not exist`);
  checkOptions(storage.type, params, 'update storage failed: ');
  const deletions = splitList(deleted);
  const { required = [], fixed = [] } = TYPES[storage.type] ?? {};
  for (const key of deletions) {
    // first: the parameters of an update are without what is set once
    if ([...required, ...fixed].includes(key)) {
      fail(`update storage failed: unable to delete required option '${key}'`);
    }
    const isKnown =
      storage.type === 'dir' ? OF_DIRECTORIES.has(key) : endpoint.parameters.properties?.[key] !== undefined;
    if (!isKnown) fail(`update storage failed: no such option '${key}'`);
    if (params[key] !== undefined) {
      fail(`update storage failed: cannot set and delete property '${key}' at the same time!`);
    }
  }
  // whatever the flag says from now on, the files stay where they are
  if (params['shared'] !== undefined || deletions.includes('shared')) storage.everywhere ??= storage.shared;
  deletions.forEach(key => clear(storage, key));
  apply(storage, params);
  return { storage: id, type: storage.type };
}

function remove({ sim, params }: Call): null {
  checkQuorum(sim.world, 'delete');
  const { storage: id = '' } = params;
  const { storages } = sim.world;
  const index = storages.findIndex(({ storage }) => storage === id);
  if (index < 0) fail(`delete storage failed: storage '${id}' does not exist`);
  storages.splice(index, 1);
  const { access } = sim.world;
  access.acl = access.acl.filter(({ path }) => path !== `/storage/${id}`);
  return null;
}

/** Whether a path lies in a folder that all nodes have in common. */
function isBelowShared({ storages }: Call['sim']['world'], path: string): boolean {
  return storages.some(
    storage =>
      storage.path !== undefined && isEverywhere(storage) && `${path}/`.startsWith(`${storage.path}/`),
  );
}

/** What a directory can have: pve-storage, PVE::Storage::DirPlugin as read. Of the other types only `shared` is checked. */
const OF_DIRECTORIES = new Set(
  `path content-dirs nodes shared disable prune-backups max-protected-backups content format mkdir create-base-path
  create-subdirs is_mountpoint bwlimit preallocation snapshot-as-volume-chain`.split(/\s+/),
);
const OF_REQUESTS = ['storage', 'type', 'digest', 'delete'];

function checkOptions(type: string, params: Config, prefix = ''): void {
  const strange = Object.keys(params).find(key =>
    type === 'dir'
      ? !OF_DIRECTORIES.has(key) && !OF_REQUESTS.includes(key)
      : key === 'shared' && !MAY_SHARE.includes(type),
  );
  if (strange !== undefined) fail(`${prefix}unexpected property '${strange}'`);
  const contents = splitList(params['content']);
  if (contents.includes('none') && contents.length > 1) {
    fail(`${prefix}unable to combine 'none' with other content types`);
  }
}

function checkQuorum(world: Call['sim']['world'], verb: string): void {
  needQuorum(world, `${verb} storage failed: cfs-lock 'file-storage_cfg' error: no quorum!`);
}

const ELSEWHERE = new Set('storage type content path nodes disable shared digest delete'.split(' '));

function apply(storage: Storage, params: Config): void {
  const { content, path, nodes, disable, shared } = params;
  if (content !== undefined) storage.content = content;
  if (path !== undefined) storage.path = path;
  if (nodes !== undefined) storage.nodes = nodes.split(/[\s,;]+/).filter(node => node !== '');
  if (storage.nodes?.length === 0) delete storage.nodes;
  if (disable !== undefined) storage.enabled = disable !== '1';
  if (shared !== undefined) storage.shared = shared === '1';
  const rest = Object.entries(params).filter(([key]) => !ELSEWHERE.has(key));
  const options = {
    ...storage.options,
    ...Object.fromEntries([...rest, ...flagsAtZero({ shared, disable })]),
  };
  for (const [key, value] of Object.entries(options)) {
    const isSetNow = (key === 'shared' && shared === '1') || (key === 'disable' && disable === '1');
    if (value === '' || isSetNow) delete options[key];
  }
  if (Object.keys(options).length > 0) storage.options = options;
  else delete storage.options;
}

/** A section keeps a flag that is 0, and leaves out a text that is empty: assumed. */
const flagsAtZero = (flags: Record<string, string | undefined>): [string, string][] =>
  Object.entries(flags).flatMap(([key, value]): [string, string][] => (value === '0' ? [[key, value]] : []));

function clear(storage: Storage, key: string): void {
  if (key === 'nodes') delete storage.nodes;
  if (key === 'disable') storage.enabled = true;
  if (key === 'shared') storage.shared = false;
  delete storage.options?.[key];
}
