import type { HaHome } from '../../machine/ha-home';
import { PveError, listHaRules, readHaGroup, readHaResource, type HaRule, type Pve } from '../../pve';

/**
 * Which nodes HA wants a guest on. Undefined: any, HA has nothing to do with it, or that is not told. What is not told
 * decides nothing.
 */
export async function haHomeOf(pve: Pve, vmid: number): Promise<HaHome | undefined> {
  try {
    const resource = await readHaResource(pve, vmid);
    if (resource === undefined || resource.state === 'ignored') return undefined;
    if (resource.group !== undefined) return await homeOfGroup(pve, resource.group);
    const rule = nodeRuleOf(`vm:${vmid}`, await listHaRules(pve));
    if (rule?.nodes === undefined) return undefined;
    const goesBack = resource.failback !== '0';
    return {
      of: `rule '${rule.rule}'`,
      nodes: prioritiesIn(rule.nodes),
      isStrict: rule.strict === true,
      goesBack,
    };
  } catch (error) {
    if (error instanceof PveError && error.kind !== 'unauthenticated') return undefined;
    throw error;
  }
}

/** PVE 8 has groups in place of rules. */
async function homeOfGroup(pve: Pve, group: string): Promise<HaHome> {
  const { nodes, restricted = false, nofailback = false } = await readHaGroup(pve, group);
  return { of: `group '${group}'`, nodes: prioritiesIn(nodes), isStrict: restricted, goesBack: !nofailback };
}

/** The rule that says where a guest is, or where one is that must be with it. A rule with errors, or one that is off, counts for nothing. */
function nodeRuleOf(sid: string, rules: readonly HaRule[]): HaRule | undefined {
  const valid = rules.filter(({ disable, errors }) => disable !== true && errors === undefined);
  const together = valid
    .filter(({ type, affinity }) => type === 'resource-affinity' && affinity === 'positive')
    .map(resourcesOf);
  const family = new Set([sid]);
  // a set that grows while it is walked
  for (const member of family)
    for (const each of together) if (each.includes(member)) each.forEach(other => family.add(other));
  return valid.find(
    rule => rule.type === 'node-affinity' && resourcesOf(rule).some(each => family.has(each)),
  );
}

function resourcesOf({ resources = '' }: HaRule): string[] {
  return listed(resources);
}

/** PVE: `node:priority`, and 0 where none is given. */
function prioritiesIn(nodes: string): Record<string, number> {
  return Object.fromEntries(
    listed(nodes).map(entry => {
      const [node = '', priority = '0'] = entry.split(':');
      return [node, Number(priority)];
    }),
  );
}

function listed(text: string): string[] {
  return text.split(/[\s,;]+/).filter(each => each !== '');
}
