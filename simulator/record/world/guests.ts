import { disguisedConfig } from '../disguise/guest-config';
import { configTextOf, countOf, given, isRow, rowOf, rowsOf, textOf, wordOf } from '../shape';
import type { Row } from '../shape';
import { readCards } from './cards';
import type { RecordedNode } from './nodes';
import type { Source } from './source';
import { forEach, segment } from './source';

interface Found {
  vmid: number;
  type: 'qemu' | 'lxc';
  node: string;
  row: Row;
}

/** Every guest that the token may see. Of one that cannot be read there is its id, name, tags and node. */
export async function readGuests(source: Source, nodes: RecordedNode[]): Promise<Row[]> {
  const rows = rowsOf(await source.reader.get('/cluster/resources?type=vm'));
  const seen = new Set<number>();
  const found = rows.flatMap((row): Found[] => {
    const vmid = countOf(row['vmid']) ?? 0;
    const { type, node } = row;
    if (type !== 'qemu' && type !== 'lxc') return [];
    if (vmid < 100 || vmid > 999_999_999 || seen.has(vmid)) return [];
    if (typeof node !== 'string' || !nodes.some(({ name }) => name === node)) return [];
    seen.add(vmid);
    return [{ vmid, type, node, row }];
  });
  const online = new Set(nodes.filter(node => node.online).map(({ name }) => name));
  return forEach(found, guest => readGuest(source, guest, online.has(guest.node)));
}

async function readGuest(source: Source, found: Found, canAsk: boolean): Promise<Row> {
  const { vmid, type, node } = found;
  const frame = { vmid, type, node: source.disguise.name('node', node) };
  const path = `/nodes/${segment(node)}/${type}/${vmid}`;
  const pending = canAsk ? await source.reader.get(`${path}/pending`) : undefined;
  if (!Array.isArray(pending)) return { ...frame, config: sketch(source, found) };
  const { config, waiting, deletions } = takeApart(rowsOf(pending));
  const left = new Set<string>();
  const disguised = (values: Row): Row => disguisedConfig(source.disguise, values, key => void left.add(key));
  const snapshots = await readSnapshots(source, path, disguised);
  const inUse = disguised(config);
  if (inUse['parent'] !== undefined && !Object.hasOwn(snapshots, String(inUse['parent'])))
    delete inUse['parent'];
  const state = rowOf(await source.reader.get(`${path}/status/current`));
  const running = runningOf(state);
  const cards = running && type === 'qemu' ? await readCards(source, path, config) : undefined;
  const fields = {
    config: inUse,
    pending: some(disguised(waiting)),
    pendingDelete: some(Object.fromEntries(Object.entries(deletions).filter(([key]) => !left.has(key)))),
    snapshots: some(snapshots),
    running: running && { ...running, ...(cards && { cards }) },
    // what boots there is not known; a guest whose agent answered has one
    system:
      type === 'qemu' ? { kind: 'linux', agent: running === undefined || cards !== undefined } : undefined,
  };
  if (left.size > 0)
    source.remark(`guest ${vmid}: left out of its configuration: ${[...left].sort().join(', ')}`);
  return { ...frame, ...given(fields) };
}

const some = (values: Row): Row | undefined => (Object.keys(values).length > 0 ? values : undefined);

/** What the list of the cluster says of a guest that cannot be read. */
function sketch({ disguise, remark }: Source, { vmid, type, row }: Found): Row {
  remark(`guest ${vmid} could not be read: the file has only its id, node, name and tags`);
  const values = given({
    [type === 'lxc' ? 'hostname' : 'name']: textOf(row['name']),
    tags: textOf(row['tags']),
  });
  const template = row['template'] === 1 ? { template: '1' } : {};
  return { ...disguisedConfig(disguise, values, () => undefined), ...template };
}

/** The rows of GET pending: what is, what waits, and what waits to be deleted. */
function takeApart(rows: Row[]): { config: Row; waiting: Row; deletions: Record<string, boolean> } {
  const config: Row = {};
  const waiting: Row = {};
  const deletions: Record<string, boolean> = {};
  for (const row of rows) {
    const key = textOf(row['key']);
    if (key === undefined || key === 'digest' || !/^[A-Za-z][\w.-]*$/.test(key)) continue;
    if (configTextOf(row['value']) !== undefined) config[key] = row['value'];
    if (configTextOf(row['pending']) !== undefined) waiting[key] = row['pending'];
    if (row['delete'] !== undefined) deletions[key] = row['delete'] === 2 || row['delete'] === '2';
  }
  return { config, waiting, deletions };
}

const OF_SNAPSHOT = ['snaptime', 'description', 'parent', 'vmstate', 'snapstate', 'digest'];

async function readSnapshots(
  { reader, disguise }: Source,
  path: string,
  disguised: (values: Row) => Row,
): Promise<Row> {
  const rows = rowsOf(await reader.get(`${path}/snapshot`)).filter(({ name }) => name !== 'current');
  const names = new Set(
    rows.flatMap(({ name }) => (typeof name === 'string' && /^[A-Za-z][\w-]*$/.test(name) ? [name] : [])),
  );
  const snapshots: Row = {};
  for (const name of names) {
    const answer = await reader.get(`${path}/snapshot/${segment(name)}/config`);
    if (!isRow(answer)) continue;
    const config = Object.fromEntries(Object.entries(answer).filter(([key]) => !OF_SNAPSHOT.includes(key)));
    const rest = disguised(given({ parent: answer['parent'], vmstate: answer['vmstate'] }));
    const fields = {
      ...rest,
      config: disguised(config),
      snaptime: countOf(answer['snaptime']),
      description: disguise.description(textOf(answer['description'])?.trimEnd() ?? ''),
      snapstate: wordOf(answer['snapstate']),
    };
    snapshots[disguise.name('snapshot', name)] = given(fields);
  }
  return withKnownParents(snapshots);
}

/** A snapshot that could not be read is no parent either. */
function withKnownParents(snapshots: Row): Row {
  return Object.fromEntries(
    Object.entries(snapshots).map(([name, value]) => {
      const { parent, ...rest } = rowOf(value);
      return [
        name,
        typeof parent === 'string' && Object.hasOwn(snapshots, parent) ? { ...rest, parent } : rest,
      ];
    }),
  );
}

function runningOf(state: Row): Row | undefined {
  if (state['status'] !== 'running') return undefined;
  const fields = {
    pid: countOf(state['pid']) || undefined,
    since: Math.max(0, Date.now() - (countOf(state['uptime']) ?? 0) * 1000),
    qmp: wordOf(state['qmpstatus']),
    machine: wordOf(state['running-machine']),
  };
  return given(fields);
}
