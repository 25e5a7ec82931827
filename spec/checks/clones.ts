import type { MachineSpec } from '../machine/machine';
import type { Finding } from '../reading/problem';

type Cloned = Pick<MachineSpec, 'id' | 'image'>;

/** Machines that are cloned from one that the document does not have, or from one another in a circle. */
export function* cloneFindings(machines: readonly Cloned[]): Iterable<Finding> {
  const sources = new Map(machines.map(({ id, image }) => [id, image?.machine]));
  const told = new Set<string>();
  for (const [i, { id, image }] of machines.entries()) {
    const path = ['machines', i, 'image', 'machine'];
    const source = image?.machine;
    // that a machine is cloned from itself is found where it is checked
    if (source === undefined || source === id) continue;
    if (!sources.has(source)) {
      const allowed = [...sources.keys()].join(', ');
      yield {
        path,
        reason: 'is no machine of this document',
        allowed,
        remedy: 'Name one of them by its id.',
      };
      continue;
    }
    const circle = circleFrom(id, sources);
    if (circle.length === 0 || told.has(id)) continue;
    circle.forEach(one => told.add(one));
    yield {
      path,
      reason: `makes a circle: ${[...circle, id].join(' is cloned from ')}`,
      remedy: 'Make one of them from something else.',
    };
  }
}

/** The machines on the way from one back to itself; empty where the way ends, or does not come back to it. */
function circleFrom(id: string, sources: ReadonlyMap<string, string | undefined>): string[] {
  const way = [id];
  for (let at = sources.get(id); at !== undefined && at !== id; at = sources.get(at)) {
    if (way.includes(at)) return [];
    way.push(at);
  }
  return sources.get(way.at(-1) ?? '') === id && way.length > 1 ? way : [];
}
