import type { Call, HandlerTable } from '../../../cluster/call';
import { fail, failParameters } from '../../../failure';
import { findNamed } from '../../../own-keys';
import { changeFirewall, checkEntries, firewallOf, withDigest } from '../file';
import { MACROS } from '../macros';
import type { Firewall } from '../../../world';

const GROUPS = '/cluster/firewall/groups';

/** The cluster's security groups; their rules are handled with all others. */
export const firewallGroupHandlers: HandlerTable = {
  [`GET ${GROUPS}`]: call => withDigest(listOf(firewallOf(call))),
  [`POST ${GROUPS}`]: call => changeFirewall(call, firewall => createOrRename(call, firewall)),
  [`DELETE ${GROUPS}/{group}`]: call =>
    changeFirewall(call, ({ groups = {} }) => {
      const { group = '' } = call.params;
      const { rules } = findNamed(groups, group) ?? fail(`no such security group '${group}'`);
      if (rules.length > 0) fail(`Security group '${group}' is not empty`);
      delete groups[group];
    }),
  // assumed: a description that says no more than the name
  'GET /cluster/firewall/macros': () => [...MACROS.values()].sort().map(macro => ({ macro, descr: macro })),
};

function listOf({ groups = {} }: Firewall): Record<string, string>[] {
  return Object.entries(groups)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([group, { comment }]) => ({ group, ...(comment !== undefined && { comment }) }));
}

function createOrRename({ params }: Call, firewall: Firewall): void {
  const groups = (firewall.groups ??= {});
  const { group = '', rename, comment, digest } = params;
  checkEntries(digest, listOf(firewall));
  if (rename === undefined) {
    if (findNamed(groups, group)) failParameters({ group: `Security group '${group}' already exists` });
    groups[group] = { rules: [] };
  } else {
    const known =
      findNamed(groups, rename) ?? failParameters({ group: `Security group '${rename}' does not exist` });
    if (rename !== group && findNamed(groups, group)) {
      failParameters({ group: `Security group '${group}' does already exist` });
    }
    delete groups[rename];
    groups[group] = known;
  }
  const made = groups[group];
  if (comment !== undefined && made) made.comment = comment;
}
