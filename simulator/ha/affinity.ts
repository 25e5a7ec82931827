import type { HaRule, World } from '../world';
import { activeRules, resourcesOf } from './rule';
import { ruleErrors } from './rule-errors';

/** The resources that must be where this one is, and those that must not. Rules that cannot hold count for nothing. */
function affinitiesOf(world: World, sid: string): { together: string[]; apart: string[] } {
  const errors = ruleErrors(world);
  const rules = activeRules(world, 'resource-affinity').flatMap(([id, rule]) => (errors[id] ? [] : [rule]));
  const of = (affinity: string): HaRule[] =>
    rules.filter(({ settings }) => settings['affinity'] === affinity);
  const group = new Set([sid]);
  // a set that grows while it is walked: a companion's companions are companions too
  for (const member of group) others(of('positive'), member).forEach(each => group.add(each));
  const apart = new Set([...group].flatMap(member => others(of('negative'), member)));
  return { together: [...group].filter(each => each !== sid).sort(), apart: [...apart].sort() };
}

function others(rules: HaRule[], sid: string): string[] {
  return rules
    .map(resourcesOf)
    .filter(members => members.includes(sid))
    .flatMap(members => members.filter(member => member !== sid));
}

/** What a move of a resource takes along, and what keeps it from a node. PVE: pve-ha-manager, PVE::HA::Config as read. */
export function motionOf(world: World, sid: string): { along: string[]; blockedBy(node: string): string[] } {
  const { services } = world.ha;
  const { together, apart } = affinitiesOf(world, sid);
  return {
    along: together.filter(each => services[each] !== undefined),
    blockedBy: node =>
      apart.filter(each => services[each]?.node === node && (services[each].target ?? node) === node),
  };
}

/** The resources that keep one from a node, as the API tells them. */
export const blockingRows = (sids: string[]): { sid: string; cause: string }[] =>
  sids.map(sid => ({ sid, cause: 'resource-affinity' }));
