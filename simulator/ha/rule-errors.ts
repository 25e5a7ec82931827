import { knownNodes } from './manager';
import type { World } from '../world';
import type { HaRule } from '../world-ha';
import { activeRules, nodesOf, resourcesOf } from './rule';

type Rules = [string, HaRule][];
type Report = (rule: string, message: string) => void;

/**
 * What makes rules impossible beside each other: per rule the messages about its resources, in the order of
 * Proxmox's checks: those of nodes, those of resources, then those between the two. PVE: pve-ha-manager, PVE::HA::Rules.
 */
export function ruleErrors(world: World): Record<string, string[]> {
  const errors: Record<string, string[]> = Object.create(null);
  const report: Report = (rule, message) => (errors[rule] ??= []).push(message);
  const places = activeRules(world, 'node-affinity');
  const relations = activeRules(world, 'resource-affinity');
  const together = relations.filter(([, rule]) => rule.settings['affinity'] === 'positive');
  const apart = relations.filter(([, rule]) => rule.settings['affinity'] === 'negative');
  checkOnePlace(places, report);
  checkCounts(knownNodes(world).length, relations, apart, report);
  checkOpposites(together, apart, report);
  checkPriorities(relations, places, report);
  checkPlacesOfTogether(together, places, report);
  checkPlacesOfApart(apart, places, report);
  return errors;
}

const shared = (members: string[], rule: HaRule): string[] => {
  const others = resourcesOf(rule);
  return members.filter(sid => others.includes(sid));
};

const meeting = (members: string[], rules: Rules): Rules =>
  rules.filter(([, rule]) => shared(members, rule).length > 0);

/** Rules of resources that must be together, those that share one as a group. */
function groupsOf(together: Rules): { ids: string[]; members: string[] }[] {
  const groups: { ids: string[]; members: string[] }[] = [];
  const lowest = ([, rule]: Rules[number]): string => resourcesOf(rule)[0] ?? '';
  // PVE: by the lowest resource, and a group that would join two others stays with the first
  for (const [id, rule] of [...together].sort((one, other) =>
    compare([lowest(one), one[0]], [lowest(other), other[0]]),
  )) {
    const members = resourcesOf(rule);
    const group = groups.find(known => known.members.some(sid => members.includes(sid)));
    if (!group) groups.push({ ids: [id], members });
    else {
      group.ids.push(id);
      group.members = [...new Set([...group.members, ...members])];
    }
  }
  return groups;
}

const compare = ([a = '', b = '']: string[], [c = '', d = '']: string[]): number =>
  a === c ? (b < d ? -1 : 1) : a < c ? -1 : 1;

function checkOnePlace(places: Rules, report: Report): void {
  for (const [id, rule] of places) {
    for (const sid of resourcesOf(rule)) {
      const users = places.filter(([, other]) => resourcesOf(other).includes(sid));
      if (users.length > 1) report(id, `resource '${sid}' is already used in another node affinity rule`);
    }
  }
}

function checkCounts(nodes: number, relations: Rules, apart: Rules, report: Report): void {
  for (const [id, rule] of relations) {
    if (resourcesOf(rule).length < 2) report(id, 'rule is ineffective as there are less than two resources');
  }
  for (const [id, rule] of apart) {
    if (resourcesOf(rule).length > nodes) report(id, 'rule defines more resources than available nodes');
  }
}

function checkOpposites(together: Rules, apart: Rules, report: Report): void {
  for (const { ids, members } of groupsOf(together)) {
    for (const [negative, rule] of apart) {
      if (shared(members, rule).length < 2) continue;
      report(negative, 'rule shares two or more resources with a positive resource affinity rule');
      for (const id of ids)
        report(id, 'rule shares two or more resources with a negative resource affinity rule');
    }
  }
}

function checkPriorities(relations: Rules, places: Rules, report: Report): void {
  for (const [id, rule] of relations) {
    const met = meeting(resourcesOf(rule), places);
    if (!met.some(([, place]) => new Set(nodesOf(place).values()).size > 1)) continue;
    report(id, 'resources are in node affinity rules with multiple priorities');
    for (const [place] of met) {
      report(
        place,
        'resources are in a resource affinity rule and cannot be in a node affinity rule with multiple priorities',
      );
    }
  }
}

function checkPlacesOfTogether(together: Rules, places: Rules, report: Report): void {
  for (const { ids, members } of groupsOf(together)) {
    const met = meeting(members, places);
    if (met.length < 2) continue;
    for (const id of ids) report(id, 'resources are in multiple node affinity rules');
    for (const [place] of met) {
      report(
        place,
        'at least one resource is in a positive resource affinity rule and there are other resources in at least one other node affinity rule already',
      );
    }
  }
}

function checkPlacesOfApart(apart: Rules, places: Rules, report: Report): void {
  for (const [id, rule] of apart) {
    const met = meeting(resourcesOf(rule), places);
    const located = new Set(met.flatMap(([, place]) => shared(resourcesOf(rule), place)));
    const allowed = new Set(met.flatMap(([, place]) => [...nodesOf(place).keys()]));
    if (allowed.size >= located.size) continue;
    report(id, 'two or more resources are restricted to less nodes than available to the resources');
    for (const [place] of met) {
      report(
        place,
        'at least one resource is in a negative resource affinity rule and this rule would restrict these to less nodes than available to the resources',
      );
    }
  }
}
