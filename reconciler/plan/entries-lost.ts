import type { MachineSpec } from '../../spec';
import type { Warning } from '../action';
import { counted } from '../errors';
import type { ElsewhereFacts, HaFacts, NamingRule, RulesOfHa } from '../machine/facts';
import { isAboutHa } from '../machine/parts/ha';
import type { ObservedGuest } from '../observed';

/** What was read of the guest elsewhere. Undefined: nothing was. */
interface EntriesRead {
  elsewhere: ElsewhereFacts | undefined;
  ha: HaFacts | 'denied' | undefined;
}

/**
 * What others gave a guest, and the machine that is made in its place does not get. What the spec says of it is no loss.
 * Pure.
 */
export function entriesLost(
  spec: MachineSpec,
  { pool, haManaged }: Pick<ObservedGuest, 'pool' | 'haManaged'>,
  { elsewhere, ha }: EntriesRead,
): string[] {
  const isPoolSaid = spec.pool !== undefined || spec.clear?.includes('pool') === true;
  const losesHa = haManaged && !isAboutHa(spec);
  return [
    ...(pool === undefined || isPoolSaid ? [] : [`pool ${pool}`]),
    ...(losesHa ? ['HA with its rules'] : []),
    ...groupLost(spec, ha),
    ...(elsewhere ? entriesOf(losesHa ? { ...elsewhere, haRules: [] } : elsewhere) : []),
  ];
}

/** What names a guest elsewhere, in words, whatever a spec says. */
export function entriesOf({ listedIn, excludedFrom, replicatedBy, ...rest }: ElsewhereFacts): string[] {
  const { firewall, rights, haRules } = rest;
  return [
    ...listedIn.map(({ job, isAlone }) =>
      isAlone
        ? `backup job ${job} as a whole (it lists no other guest)`
        : `backup job ${job} (its list of guests)`,
    ),
    ...excludedFrom.map(job => `exclusion from backup job ${job}`),
    ...replicatedBy.map(
      ({ job, target }) => `replication job ${job} to ${target} (its copies of the disks stay there)`,
    ),
    ...(firewall ? firewallTexts(firewall) : []),
    ...rights.map(({ holder, role, path }) => `rights of ${holder} (${role}) on ${path}`),
    ...haRules.map(placeInRule),
  ];
}

/** What a guest that leaves HA is taken out of: HA forgets it, and nobody puts it back (PVE: Resources.pm, purge, 9.2). */
export function placesInHa(ha: EntriesRead['ha'], places: RulesOfHa | undefined): string[] {
  return [...placeInGroup(ha), ...(places?.rules ?? []).map(placeInRule)];
}

/** PVE: a rule that names no other goes as a whole. */
function placeInRule({ rule, isAlone }: NamingRule): string {
  return isAlone ? `HA rule ${rule} as a whole (it names no other)` : `place in HA rule ${rule}`;
}

/** PVE 8: a group of nodes. */
function placeInGroup(ha: EntriesRead['ha']): string[] {
  const group = typeof ha === 'object' ? ha['group'] : undefined;
  return group === undefined ? [] : [`place in HA group ${group}`];
}

/** What goes too, if it is there: nobody could see it. */
export function unreadElsewhere(elsewhere: ElsewhereFacts | undefined): Warning[] {
  if (elsewhere === undefined || elsewhere.unread.length === 0) return [];
  const each = elsewhere.unread.map(({ what, why }) => `${what}: ${why.replace(/\.$/, '')}`);
  const text = `what else names its number could not be read, and goes with it where it is there: ${each.join('; ')}. Look there yourself, or let a user plan it that may read it.`;
  return [{ about: 'elsewhere', text }];
}

/** The same of a guest that leaves HA and stays. */
export function unreadRules(places: RulesOfHa | undefined): Warning[] {
  return (places?.unread ?? []).map(({ what, why }) => {
    const text = `it leaves HA, and with that its places in the ${what}, which could not be read: ${why.replace(/\.$/, '')}. Look first (ha-manager rules list), or let a user plan it that may read them.`;
    return { about: 'rules of HA', text };
  });
}

/** The group, where the spec says `ha` and no group. */
function groupLost({ ha: said }: MachineSpec, ha: EntriesRead['ha']): string[] {
  return said === undefined || said.group !== undefined ? [] : placeInGroup(ha);
}

function firewallTexts({
  rules,
  aliases,
  ipSets,
  options,
}: NonNullable<ElsewhereFacts['firewall']>): string[] {
  return [
    ...(rules > 0 ? [counted(rules, 'firewall rule', 'firewall rules')] : []),
    ...(aliases > 0 ? [counted(aliases, 'firewall alias', 'firewall aliases')] : []),
    ...(ipSets > 0 ? [counted(ipSets, 'firewall IP set', 'firewall IP sets')] : []),
    ...(options.length > 0 ? [`firewall options (${options.join(', ')})`] : []),
  ];
}
