import type { World } from '../world';
import type { HaRule } from '../world-ha';
import { activeRules, resourcesOf } from './rule';
import { ruleErrors } from './rule-errors';

/** The resources that must be where this one is, and those that must not. Rules that cannot hold count for nothing. */
export function affinitiesOf(world: World, sid: string): { together: string[]; apart: string[] } {
  const errors = ruleErrors(world);
  const rules = activeRules(world, 'resource-affinity').flatMap(([id, rule]) => (errors[id] ? [] : [rule]));
  const of = (affinity: string): HaRule[] =>
    rules.filter(({ settings }) => settings['affinity'] === affinity);
  const positive = of('positive');
  const group = companions(positive, sid);
  // what must be apart from one must be apart from its companions, and with its own companions
  const apart = new Set(
    [...group]
      .flatMap(member => others(of('negative'), member))
      .flatMap(each => [...companions(positive, each)]),
  );
  return { together: [...group].filter(each => each !== sid).sort(), apart: [...apart].sort() };
}

/** The resource and all that must be with it, a companion's companions too. */
function companions(positive: HaRule[], sid: string): Set<string> {
  const group = new Set([sid]);
  // a set that grows while it is walked
  for (const member of group) others(positive, member).forEach(each => group.add(each));
  return group;
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
