import { splitList } from '../schema/perl-text';
import type { HaRule, World } from '../world';

/** A rule's resources, each once and in order. */
export function resourcesOf(rule: HaRule): string[] {
  return [...new Set(splitList(rule.settings['resources']))].sort();
}

/** A node-affinity rule's nodes with their priorities; 0 where none is given. */
export function nodesOf(rule: HaRule): Map<string, number> {
  return new Map(
    splitList(rule.settings['nodes'])
      .sort()
      .map((entry): [string, number] => {
        const [node = '', priority = '0'] = entry.split(':');
        return [node, Number(priority)];
      }),
  );
}

/** The rules of a type that are not disabled. */
export function activeRules(world: World, type: string): [string, HaRule][] {
  return Object.entries(world.ha.rules).filter(
    ([, rule]) => rule.type === type && rule.settings['disable'] !== '1',
  );
}
