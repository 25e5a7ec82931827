import { disguisedPool } from '../disguise/access-names';
import { configTextOf, countOf, given, isRow, listOf, rowOf, rowsOf, textOf } from '../shape';
import type { Row } from '../shape';
import type { RecordedStorage } from './storages';
import type { Source } from './source';
import { forEach, segment } from './source';

/** Pools with those of their members that are in the file. */
export async function readPools(source: Source, guests: Row[], storages: RecordedStorage[]): Promise<Row[]> {
  const { reader, disguise } = source;
  const ids = [...new Set(rowsOf(await reader.get('/pools')).flatMap(({ poolid }) => textOf(poolid) ?? []))];
  const taken = new Set<number>();
  const vmids = new Set(guests.map(({ vmid }) => vmid));
  const pools = await forEach(ids, async poolid => {
    const answer = await reader.get(`/pools?poolid=${segment(poolid)}`);
    const pool = rowOf(Array.isArray(answer) ? answer[0] : answer);
    const members = rowsOf(pool['members']);
    const vms = members.flatMap(({ vmid }) => {
      const id = countOf(vmid);
      if (id === undefined || !vmids.has(id) || taken.has(id)) return [];
      taken.add(id);
      return [id];
    });
    const names = members.filter(({ type }) => type === 'storage').map(({ storage }) => storage);
    const comment = textOf(pool['comment']);
    const fields = {
      poolid: disguisedPool(disguise, poolid),
      vms,
      storages: storages.filter(({ id }) => names.includes(id)).map(({ id }) => disguise.name('storage', id)),
      comment: comment && disguise.description(comment),
    };
    return given(fields);
  });
  return pools;
}

/** What the HA manager watches, and its rules. Groups of Proxmox 8 have no place in the file. */
export async function readHa(source: Source, guests: Row[]): Promise<Row> {
  const { reader, disguise, remark } = source;
  const sids = new Set(guests.map(({ vmid, type }) => `${type === 'lxc' ? 'ct' : 'vm'}:${String(vmid)}`));
  const resources = rowsOf(await reader.get('/cluster/ha/resources'));
  const rules = await reader.get('/cluster/ha/rules');
  if (resources.some(({ group }) => group !== undefined)) remark('the HA groups of Proxmox 8 are left out');
  return {
    resources: [...new Map(resources.map(row => [row['sid'], row])).values()]
      .filter(({ sid }) => sids.has(String(sid)))
      .map(row => {
        const state = row['state'] === 'enabled' ? 'started' : textOf(row['state']);
        const settings = settingsOf(row, ['failback', 'max_relocate', 'max_restart']);
        const comment = textOf(row['comment']);
        if (comment) settings['comment'] = disguise.description(comment);
        const isKnown = state !== undefined && ['started', 'stopped', 'disabled', 'ignored'].includes(state);
        return { sid: row['sid'], ...(isKnown ? { state } : {}), settings };
      }),
    rules: rowsOf(rules)
      .filter(({ rule, type }) => typeof rule === 'string' && /^(node|resource)-affinity$/.test(String(type)))
      .map(row => ruleOf(source, row, sids)),
  };
}

function ruleOf({ disguise }: Source, row: Row, sids: Set<string>): Row {
  const settings = settingsOf(row, ['affinity', 'disable', 'strict']);
  const nodes = listOf(row['nodes']).map(entry => {
    const [name = '', priority] = entry.split(':');
    return `${disguise.name('node', name)}${priority === undefined ? '' : `:${priority}`}`;
  });
  const comment = textOf(row['comment']);
  return {
    rule: disguise.name('rule', String(row['rule'])),
    type: row['type'],
    settings: given({
      ...settings,
      resources: listOf(row['resources'])
        .filter(sid => sids.has(sid))
        .join(','),
      nodes: nodes.length === 0 ? undefined : nodes.join(','),
      comment: comment && disguise.description(comment),
    }),
  };
}

function settingsOf(row: Row, keys: string[]): Row {
  return given(Object.fromEntries(keys.map(key => [key, configTextOf(row[key])])));
}

const OPTIONS = [
  'bwlimit',
  'console',
  'crs',
  'ha',
  'keyboard',
  'language',
  'max_workers',
  'next-id',
  'replication',
];

/** The options of the datacenter, as its file holds them. Addresses of mail and keys of logins stay out. */
export async function readOptions({ reader, disguise }: Source): Promise<Row> {
  const all = rowOf(await reader.get('/cluster/options'));
  const tags = (value: unknown): string =>
    (Array.isArray(value) ? value.map(String) : listOf(value))
      .map(tag => disguise.name('tag', tag))
      .join(';');
  const options: Row = Object.fromEntries(OPTIONS.map(key => [key, propertyText(all[key])]));
  const prefix = textOf(all['mac_prefix']);
  if (prefix !== undefined && prefix !== 'BC:24:11') options['mac_prefix'] = prefix;
  const description = textOf(all['description'])?.trimEnd();
  if (description) options['description'] = disguise.description(description);
  if (all['registered-tags'] !== undefined) options['registered-tags'] = tags(all['registered-tags']);
  const { 'user-allow-list': allowed, ...access } = rowOf(all['user-tag-access']);
  const rule = { ...access, ...(allowed === undefined ? {} : { 'user-allow-list': tags(allowed) }) };
  options['user-tag-access'] = propertyText(rule);
  const { 'color-map': _colours, ...style } = rowOf(all['tag-style']);
  options['tag-style'] = propertyText(style);
  const { network, ...migration } = rowOf(all['migration']);
  options['migration'] = propertyText({
    ...migration,
    ...(typeof network === 'string' ? { network: disguise.address(network) } : {}),
  });
  return given(options);
}

/** `a=1,b=2`, as the file holds what the API shows as an object. */
function propertyText(value: unknown): string | undefined {
  if (!isRow(value)) return configTextOf(value);
  const parts = Object.entries(value).flatMap(([key, part]) => {
    const text = configTextOf(part);
    return text === undefined ? [] : [`${key}=${text}`];
  });
  return parts.length === 0 ? undefined : parts.join(',');
}
