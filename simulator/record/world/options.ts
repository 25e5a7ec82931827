import { address, each, parts, WORD } from '../disguise/parts';
import type { Rule } from '../disguise/parts';
import { configTextOf, given, isRow, listOf, rowOf } from '../shape';
import type { Row } from '../shape';
import type { Source } from './source';

const tags: Rule = (disguise, value) =>
  listOf(value)
    .map(tag => disguise.name('tag', tag))
    .join(';');

const NETWORK = parts({ type: WORD, network: address });

/** What becomes of each option of the datacenter. What has no rule is left out: it holds mail addresses, logins, texts. */
const RULES: Record<string, Rule> = {
  ...each('console keyboard language max_workers', WORD),
  bwlimit: parts(each('clone default migration move restore', WORD)),
  crs: parts(each('ha ha-auto-rebalance ha-rebalance-on-start', WORD)),
  ha: parts(each('shutdown_policy', WORD)),
  'next-id': parts(each('lower upper', WORD)),
  migration: NETWORK,
  replication: NETWORK,
  'tag-style': parts(each('case-sensitive ordering shape', WORD)),
  'user-tag-access': parts({ 'user-allow': WORD, 'user-allow-list': tags }),
  'registered-tags': tags,
  description: (disguise, value) => disguise.description(value.trimEnd()),
  // it may be that of the maker whose number the owner has
  mac_prefix: (disguise, value) =>
    disguise.keeps('macs') || value.toUpperCase() === 'BC:24:11' ? value : undefined,
};

/** The options of the datacenter, as its file holds them. */
export async function readOptions({ reader, disguise, remark }: Source): Promise<Row> {
  const left: string[] = [];
  const entries = Object.entries(rowOf(await reader.get('/cluster/options'))).map(([key, value]) => {
    const text = propertyText(value);
    const rule = Object.hasOwn(RULES, key) ? RULES[key] : undefined;
    const other =
      text === undefined ? undefined : rule?.(disguise, text, part => left.push(`${part} of ${key}`));
    if (other === undefined && key !== 'digest') left.push(key);
    return [key, other === '' ? undefined : other] as const;
  });
  if (left.length > 0) remark(`left out of the options of the datacenter: ${left.sort().join(', ')}`);
  return given(Object.fromEntries(entries));
}

/** `a=1,b=2`, as the file holds what the API shows as an object. */
function propertyText(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.map(String).join(';');
  if (!isRow(value)) return configTextOf(value);
  const made = Object.entries(value).flatMap(([key, part]) => {
    const text = Array.isArray(part) ? part.map(String).join(';') : configTextOf(part);
    return text === undefined ? [] : [`${key}=${text}`];
  });
  return made.length === 0 ? undefined : made.join(',');
}
