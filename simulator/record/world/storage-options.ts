import { address, each, name, only, parts, WORD } from '../disguise/parts';
import type { Rule } from '../disguise/parts';
import { configTextOf } from '../shape';
import type { Row } from '../shape';
import type { Source } from './source';

const FIGURES = parts(each('clone default migration move restore', WORD));
const PRUNE = parts(
  each('keep-all keep-daily keep-hourly keep-last keep-monthly keep-weekly keep-yearly', WORD),
);
const WORDS =
  'blocksize create-base-path create-subdirs format is_mountpoint krbd max-protected-backups mkdir nocow nowritecache ' +
  'preallocation saferemove saferemove-stepsize saferemove_throughput smbversion snapshot-as-volume-chain sparse tagged_only';

/** What becomes of each option. What has no rule is left out: `options` of a mount, above all, may hold a password. */
const RULES: Record<string, Rule> = {
  ...each(WORDS, WORD),
  ...each(
    'vgname thinpool pool datastore export share namespace subdir fs-name data-pool base',
    name('place'),
  ),
  ...each('server server2 domain', address),
  bwlimit: FIGURES,
  'prune-backups': PRUNE,
  username: (disguise, value) => disguise.user('user', value),
};

/** These have fields of their own in the file, or are none of the definition. */
const ELSEWHERE = ['storage', 'type', 'content', 'shared', 'disable', 'path', 'nodes', 'digest'];

/** The content of a storage: kinds that Proxmox knows. */
export const CONTENT = only(/^(none|((images|rootdir|iso|vztmpl|backup|snippets|import)(,|$))+)$/);

/** The options of a storage that the file may have. */
export function optionsOf({ disguise, remark }: Source, id: string, row: Row): Row | undefined {
  const left: string[] = [];
  const options = Object.entries(row).flatMap(([key, value]): [string, string][] => {
    if (ELSEWHERE.includes(key)) return [];
    const text = configTextOf(value);
    const rule = Object.hasOwn(RULES, key) ? RULES[key] : undefined;
    const other =
      text === undefined ? undefined : rule?.(disguise, text, part => left.push(`${part} of ${key}`));
    if (other === undefined) left.push(key);
    return other === undefined ? [] : [[key, other]];
  });
  if (left.length > 0) remark(`the storage ${id}: left out of its options: ${left.sort().join(', ')}`);
  return options.length === 0 ? undefined : Object.fromEntries(options);
}
