import { isRelease8 } from '../cluster/release';
import { findNamed } from '../own-keys';
import { splitList } from '../perl-text';
import type { Config, World } from '../world';
import type { HaRule } from '../world-ha';

/** The HA groups: only release 8 has some. */
export function groupsOf(world: World): Record<string, Config> {
  return isRelease8(world) ? (world.ha.groups ?? {}) : {};
}

/**
 * The rules that groups stand for: each keeps its resources on its nodes.
 * PVE: release 9 makes them so, pve-ha-manager, PVE::HA::Groups::migrate_groups_to_rules.
 */
export function rulesOfGroups(world: World): [string, HaRule][] {
  return Object.entries(groupsOf(world)).flatMap(
    ([group, { nodes = '', restricted = '0' }]): [string, HaRule][] => {
      const members = Object.values(world.ha.resources).filter(({ settings }) => settings['group'] === group);
      if (members.length === 0) return [];
      const resources = members.map(({ sid }) => sid).join(',');
      return [
        [`ha-group-${group}`, { type: 'node-affinity', settings: { resources, nodes, strict: restricted } }],
      ];
    },
  );
}

/** Whether a resource goes back to a better node by itself. */
export function failsBack(world: World, settings: Config): boolean {
  const group = findNamed(groupsOf(world), settings['group'] ?? '');
  return group ? group['nofailback'] !== '1' : settings['failback'] !== '0';
}

/** A group's nodes as it keeps them, each once. */
export const nodesOfGroup = (nodes: string | undefined): string => [...new Set(splitList(nodes))].join(',');
