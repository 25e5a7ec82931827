import type { Mapping, MappingKind, World } from '../../world';

interface Check {
  severity: 'warning' | 'error';
  message: string;
}

/** What a list says of a mapping on one node. What the devices really are is not compared (assumed: it is as mapped). */
export function checksOf(world: World, kind: MappingKind, { map }: Mapping, node: string): Check[] {
  const entries = map.map(valuesOf).filter(entry => entry['node'] === node);
  if (entries.length === 0) return [{ severity: 'warning', message: `No mapping for node ${node}.` }];
  if (kind === 'dir') return [];
  const there = world.devices?.[kind] ?? [];
  if (there.includes('*')) return [];
  return entries
    .map(entry => entry['path'] ?? entry['id'] ?? '')
    .flatMap(path => path.split(';'))
    .filter(path => !there.includes(path))
    .map(path => ({
      severity: 'error',
      message: `Invalid configuration: ${kind} device '${path}' not found\n`,
    }));
}

/** The first node that a directory is mapped on more than once. */
export function nodesNamedTwice(map: string[]): { node: string; times: number } | undefined {
  const nodes = map.map(each => valuesOf(each)['node'] ?? '');
  const node = nodes.find((each, index) => nodes.indexOf(each) !== index);
  return node === undefined ? undefined : { node, times: nodes.filter(each => each === node).length };
}

function valuesOf(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(',').map(part => {
      const [key = '', ...value] = part.split('=');
      return [key, value.join('=')];
    }),
  );
}
