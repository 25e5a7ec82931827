import type { Disguise } from '../disguise/disguise';
import { disguisedVolid } from '../disguise/volume-id';
import { countOf, flagOf, given, listOf, rowsOf, textOf, wordOf } from '../shape';
import type { Row } from '../shape';
import type { RecordedNode } from './nodes';
import type { Source } from './source';
import { forEach, segment } from './source';
import { CONTENT, optionsOf } from './storage-options';

export interface RecordedStorage {
  /** As the cluster calls it. */
  id: string;
  isShared: boolean;
  fields: Row;
}

/** How the simulator writes a type that it does not know itself. */
const INSTEAD: Record<string, string> = {
  glusterfs: 'nfs',
  zfs: 'zfspool',
};
const KNOWN = ['dir', 'nfs', 'cifs', 'lvm', 'lvmthin', 'zfspool', 'rbd', 'cephfs', 'btrfs'];
const SHARED = ['nfs', 'cifs', 'cephfs', 'rbd', 'glusterfs', 'zfs'];

/** The definitions of storages that the simulator can have. */
export async function readStorages(source: Source, nodes: RecordedNode[]): Promise<RecordedStorage[]> {
  const rows = rowsOf(await source.reader.get('/storage'));
  const seen = new Set<string>();
  return rows.flatMap(row => {
    const [id, type] = [textOf(row['storage']), textOf(row['type'])];
    if (id === undefined || type === undefined || !/^[a-z][\w.-]*[a-z0-9]$/i.test(id) || seen.has(id))
      return [];
    seen.add(id);
    const known = KNOWN.includes(type) ? type : INSTEAD[type];
    if (known === undefined) {
      source.remark(`the storage ${id} is left out: the simulator has none of type ${type}`);
      return [];
    }
    if (known !== type) source.remark(`the storage ${id} is of type ${type}; in the file it is ${known}`);
    return [
      definition(
        source,
        row,
        { id, type: known, isShared: SHARED.includes(type) || flagOf(row['shared']) },
        nodes,
      ),
    ];
  });
}

function definition(
  source: Source,
  row: Row,
  { id, type, isShared }: { id: string; type: string; isShared: boolean },
  nodes: RecordedNode[],
): RecordedStorage {
  const { disguise } = source;
  const path = textOf(row['path']);
  const only = listOf(row['nodes']).filter(name => nodes.some(node => node.name === name));
  const fields = {
    storage: disguise.name('storage', id),
    type,
    content: CONTENT(disguise, textOf(row['content']) ?? '', () => undefined) ?? 'none',
    shared: isShared,
    enabled: !flagOf(row['disable']),
    path: path === undefined ? undefined : pathOf(path, name => disguise.name('path', name)),
    nodes: row['nodes'] === undefined ? undefined : only.map(name => disguise.name('node', name)),
    options: optionsOf(source, id, row),
  };
  return { id, isShared, fields: given(fields) };
}

function pathOf(path: string, name: (part: string) => string): string {
  if (path === '/var/lib/vz') return path;
  const other = name(path);
  return other === path ? path : `/mnt/${other}`;
}

/** The volumes of all storages, and the sizes of the storages, which are put into their fields. */
export async function readVolumes(
  source: Source,
  nodes: RecordedNode[],
  storages: RecordedStorage[],
): Promise<Row[]> {
  const online = nodes.filter(node => node.online);
  const places: { node: string; storage: RecordedStorage }[] = [];
  const taken = new Set<string>();
  for (const { name } of online) {
    for (const row of rowsOf(await source.reader.get(`/nodes/${segment(name)}/storage`))) {
      const storage = storages.find(({ id }) => id === row['storage']);
      const total = countOf(row['total']);
      if (storage && total) storage.fields['total'] ??= total;
      if (!storage || !flagOf(row['active']) || (storage.isShared && taken.has(storage.id))) continue;
      taken.add(storage.id);
      places.push({ node: name, storage });
    }
  }
  const lists = await forEach(places, place => contentOf(source, place));
  return lists.flat();
}

async function contentOf(
  { reader, disguise, remark }: Source,
  { node, storage }: { node: string; storage: RecordedStorage },
): Promise<Row[]> {
  const rows = rowsOf(await reader.get(`/nodes/${segment(node)}/storage/${segment(storage.id)}/content`));
  const at = storage.isShared ? '*' : disguise.name('node', node);
  return rows.flatMap(row => {
    const volid = textOf(row['volid']);
    const other = volid?.startsWith(`${storage.id}:`) ? disguisedVolid(disguise, volid) : undefined;
    if (other === undefined) {
      remark(
        `a volume of ${storage.id} is left out, its name has signs that no file can hold: ${volid ?? ''}`,
      );
      return [];
    }
    const content = wordOf(row['content']);
    const isImage = content === 'images' || content === 'rootdir';
    const notes = textOf(row['notes']);
    const fields = {
      node: at,
      volid: other,
      content: isImage ? 'images' : content,
      format: wordOf(row['format']),
      size: countOf(row['size']) ?? 0,
      filesize: isImage ? countOf(row['used']) : undefined,
      ctime: countOf(row['ctime']),
      vmid: countOf(row['vmid']) || undefined,
      parent: parentOf(disguise, storage.id, row['parent']),
      notes: notes === undefined ? undefined : disguise.description(notes),
      protected: flagOf(row['protected']) || undefined,
    };
    return [given(fields)];
  });
}

/** The base of a linked clone: `../9000/base-9000-disk-0.qcow2` of files, `base-9000-disk-0@__base__` of other storages. */
function parentOf(disguise: Disguise, storage: string, parent: unknown): string | undefined {
  const name = textOf(parent)
    ?.replace(/^\.\.\//, '')
    .replace(/@__base__$/, '');
  return name === undefined || name === '' ? undefined : disguisedVolid(disguise, `${storage}:${name}`);
}
