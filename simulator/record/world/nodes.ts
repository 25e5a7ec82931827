import { countOf, flagOf, given, rowOf, rowsOf, textOf } from '../shape';
import type { Source } from './source';
import { forEach, segment } from './source';

/** A node as the cluster calls it, and what the file says of it. */
export interface RecordedNode {
  name: string;
  online: boolean;
  fields: Record<string, unknown>;
}

export interface RecordedCluster {
  cluster: { name: string; quorate: boolean } | null;
  nodes: RecordedNode[];
}

/** The nodes and the cluster that they make. */
export async function readNodes(source: Source): Promise<RecordedCluster> {
  const { reader, disguise } = source;
  const rows = rowsOf(await reader.get('/cluster/status'));
  const head = rows.find(({ type }) => type === 'cluster');
  const listed = rows.filter(({ type, name }) => type === 'node' && isNodeName(name));
  const nodes = await forEach(listed, row => readNode(source, row));
  const cluster = head && {
    name: disguise.name('cluster', textOf(head['name']) ?? 'cluster'),
    quorate: flagOf(head['quorate']),
  };
  return { cluster: cluster ?? null, nodes: unique(nodes) };
}

function isNodeName(name: unknown): boolean {
  return typeof name === 'string' && /^[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?$/.test(name);
}

function unique(nodes: RecordedNode[]): RecordedNode[] {
  const seen = new Set<unknown>();
  const isNew = (value: unknown): boolean => !seen.has(value) && seen.add(value) !== undefined;
  return nodes.filter(({ name, fields }) => isNew(name) && isNew(fields['nodeid']));
}

async function readNode(
  { reader, disguise, remark }: Source,
  row: Record<string, unknown>,
): Promise<RecordedNode> {
  const name = textOf(row['name']) ?? '';
  const online = flagOf(row['online']);
  const ip = textOf(row['ip']);
  const fields: Record<string, unknown> = {
    name: disguise.name('node', name),
    // a node that stands alone has the number 0
    nodeid: countOf(row['nodeid']) || 1,
    ...(ip === undefined ? {} : { ip: disguise.address(ip) }),
    online,
    ...(flagOf(row['local']) ? { local: true } : {}),
  };
  if (!online) {
    remark(`the node ${name} is offline: of its guests only what the cluster itself knows is in the file`);
    return { name, online, fields: { ...fields, bridges: [] } };
  }
  const network = rowsOf(await reader.get(`/nodes/${segment(name)}/network`));
  const status = rowOf(await reader.get(`/nodes/${segment(name)}/status`));
  const bridges = network
    .filter(({ type, iface }) => /^(OVS)?bridge$/i.test(String(type)) && typeof iface === 'string')
    .map(({ iface }) => disguise.name('bridge', String(iface)));
  const uptime = countOf(status['uptime']);
  const rest = {
    bridges: [...new Set(bridges)].sort(),
    cpus: countOf(rowOf(status['cpuinfo'])['cpus']) || undefined,
    memory: countOf(rowOf(status['memory'])['total']) || undefined,
    bootedAt: uptime === undefined ? undefined : Math.max(0, Math.floor(Date.now() / 1000) - uptime),
  };
  return { name, online, fields: { ...fields, ...given(rest) } };
}
