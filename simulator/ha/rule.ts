import { splitList } from '../perl-text';
import { rulesOfGroups } from './groups';
import type { World } from '../world';
import type { HaRule } from '../world-ha';

/** Takes a resource out of the rules that name it; a rule without resources goes too. */
export function leaveRules({ ha }: World, sid: string): void {
  for (const [id, rule] of Object.entries(ha.rules)) {
    const left = resourcesOf(rule).filter(member => member !== sid);
    if (left.length === 0) delete ha.rules[id];
    else rule.settings['resources'] = left.join(',');
  }
}

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

/** The rules of a type that are not disabled; in release 8 those that its groups stand for. */
export function activeRules(world: World, type: string): [string, HaRule][] {
  const rules = [...Object.entries(world.ha.rules), ...rulesOfGroups(world)];
  return rules.filter(([, rule]) => rule.type === type && rule.settings['disable'] !== '1');
}
