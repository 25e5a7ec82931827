import type { HaRule, World } from '../world';
import { activeRules, nodesOf, resourcesOf } from './rule';

type Rules = [string, HaRule][];
type Report = (rule: string, message: string) => void;

/** What makes rules impossible beside each other: per rule the messages about its resources. */
export function ruleErrors(world: World): Record<string, string[]> {
  const errors: Record<string, string[]> = Object.create(null);
  const report: Report = (rule, message) => (errors[rule] ??= []).push(message);
  const places = activeRules(world, 'node-affinity');
  const relations = activeRules(world, 'resource-affinity');
  const together = relations.filter(([, rule]) => rule.settings['affinity'] === 'positive');
  const apart = relations.filter(([, rule]) => rule.settings['affinity'] === 'negative');
  checkOnePlace(places, report);
  checkCounts(world, relations, apart, report);
  checkOpposites(together, apart, report);
  checkPriorities(relations, places, report);
  checkPlacesOfTogether(together, places, report);
  checkPlacesOfApart(apart, places, report);
  return errors;
}

const shared = (one: HaRule, other: HaRule): string[] => {
  const members = resourcesOf(other);
  return resourcesOf(one).filter(sid => members.includes(sid));
};

const meeting = (rule: HaRule, others: Rules): Rules =>
  others.filter(([, other]) => shared(rule, other).length > 0);

function checkOnePlace(places: Rules, report: Report): void {
  for (const [id, rule] of places) {
    for (const sid of resourcesOf(rule)) {
      const users = places.filter(([, other]) => resourcesOf(other).includes(sid));
      if (users.length > 1) report(id, `resource '${sid}' is already used in another node affinity rule`);
    }
  }
}

function checkCounts({ nodes }: World, relations: Rules, apart: Rules, report: Report): void {
  for (const [id, rule] of relations) {
    if (resourcesOf(rule).length < 2) report(id, 'rule is ineffective as there are less than two resources');
  }
  for (const [id, rule] of apart) {
    if (resourcesOf(rule).length > nodes.length) {
      report(id, 'rule defines more resources than available nodes');
    }
  }
}

function checkOpposites(together: Rules, apart: Rules, report: Report): void {
  for (const [positive, one] of together) {
    for (const [negative, other] of apart) {
      if (shared(one, other).length < 2) continue;
      report(positive, 'rule shares two or more resources with a negative resource affinity rule');
      report(negative, 'rule shares two or more resources with a positive resource affinity rule');
    }
  }
}

function checkPriorities(relations: Rules, places: Rules, report: Report): void {
  for (const [id, rule] of relations) {
    const met = meeting(rule, places);
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
  for (const [id, rule] of together) {
    const met = meeting(rule, places);
    if (met.length < 2) continue;
    report(id, 'resources are in multiple node affinity rules');
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
    const met = meeting(rule, places);
    const located = new Set(met.flatMap(([, place]) => shared(rule, place)));
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
