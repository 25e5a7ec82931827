import { disguisedPool } from '../disguise/access-names';
import type { Disguise } from '../disguise/disguise';
import { configTextOf, countOf, given, listOf, rowOf, rowsOf, textOf } from '../shape';
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

/** What the HA manager watches, and its rules; release 8 has groups instead. */
export async function readHa(source: Source, guests: Row[], isRelease8: boolean): Promise<Row> {
  const { reader } = source;
  const sids = new Set(guests.map(({ vmid, type }) => `${type === 'lxc' ? 'ct' : 'vm'}:${String(vmid)}`));
  const resources = rowsOf(await reader.get('/cluster/ha/resources')).filter(({ sid }) =>
    sids.has(String(sid)),
  );
  const groups = isRelease8 ? groupsOf(source, rowsOf(await reader.get('/cluster/ha/groups'))) : undefined;
  const rules = isRelease8 ? [] : rowsOf(await reader.get('/cluster/ha/rules'));
  return {
    ...(groups && { groups }),
    resources: [...new Map(resources.map(row => [row['sid'], row])).values()].map(row =>
      resourceOf(source, row, groups),
    ),
    rules: rules
      .filter(({ rule, type }) => typeof rule === 'string' && /^(node|resource)-affinity$/.test(String(type)))
      .map(row => ruleOf(source, row, sids)),
  };
}

function resourceOf({ disguise }: Source, row: Row, groups: Row = {}): Row {
  const state = row['state'] === 'enabled' ? 'started' : textOf(row['state']);
  const isKnown = state !== undefined && ['started', 'stopped', 'disabled', 'ignored'].includes(state);
  const group = disguise.name('group', textOf(row['group']) ?? '');
  const comment = textOf(row['comment']);
  const settings = {
    ...settingsOf(row, ['failback', 'max_relocate', 'max_restart']),
    ...(Object.hasOwn(groups, group) ? { group } : {}),
    ...(comment ? { comment: disguise.description(comment) } : {}),
  };
  return { sid: row['sid'], ...(isKnown ? { state } : {}), settings };
}

function groupsOf({ disguise }: Source, rows: Row[]): Row {
  const groups = rows.flatMap(row => {
    const [group, comment] = [textOf(row['group']), textOf(row['comment'])];
    if (group === undefined || !/^[A-Za-z][\w-]*$/.test(group)) return [];
    const fields = {
      ...settingsOf(row, ['nofailback', 'restricted']),
      nodes: nodesOf(disguise, row['nodes']),
      comment: comment && disguise.description(comment),
    };
    return [[disguise.name('group', group), given(fields)] as const];
  });
  return Object.fromEntries(groups);
}

/** Nodes, each with its priority where it has one. */
function nodesOf(disguise: Disguise, list: unknown): string {
  const nodes = listOf(list).map(entry => {
    const [name = '', priority] = entry.split(':');
    return `${disguise.name('node', name)}${/^\d+$/.test(priority ?? '') ? `:${priority}` : ''}`;
  });
  return nodes.join(',');
}

function ruleOf({ disguise }: Source, row: Row, sids: Set<string>): Row {
  const settings = settingsOf(row, ['affinity', 'disable', 'strict']);
  const nodes = nodesOf(disguise, row['nodes']);
  const comment = textOf(row['comment']);
  return {
    rule: disguise.name('rule', String(row['rule'])),
    type: row['type'],
    settings: given({
      ...settings,
      resources: listOf(row['resources'])
        .filter(sid => sids.has(sid))
        .join(','),
      nodes: nodes || undefined,
      comment: comment && disguise.description(comment),
    }),
  };
}

function settingsOf(row: Row, keys: string[]): Row {
  const entries = keys.map(key => [key, configTextOf(row[key])] as const);
  return Object.fromEntries(entries.filter(([, text]) => text !== undefined && /^[\w-]*$/.test(text)));
}
