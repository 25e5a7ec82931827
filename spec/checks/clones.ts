import type { MachineSpec } from '../machine/machine';
import { sourceIds } from '../machine/image';
import type { Finding } from '../reading/problem';

type Cloned = Pick<MachineSpec, 'id' | 'image'>;
type Sources = ReadonlyMap<string, readonly string[]>;

/**
 * Machines that are cloned from one that the document does not have, or from one another in a circle. `images`: the
 * names of what is made ready, which may stand in place of a machine.
 */
export function* cloneFindings(machines: readonly Cloned[], images: ReadonlySet<string>): Iterable<Finding> {
  const sources: Sources = new Map(machines.map(({ id, image }) => [id, sourceIds(image)]));
  const told = new Set<string>();
  for (const [i, { id, image }] of machines.entries()) {
    const ofImage = image?.machine !== undefined && images.has(image.machine);
    if (ofImage && image.replicas !== undefined) {
      const path = ['machines', i, 'image', 'replicas'];
      yield { path, reason: 'is given beside an image', remedy: 'Remove it: the image says its nodes.' };
    }
    // that a machine is cloned from itself is found where it is checked
    if (ofImage || sources.get(id)?.includes(id) === true) continue;
    const path = ['machines', i, 'image', 'machine'];
    const missing = sourceIds(image).filter(source => !sources.has(source));
    if (missing.length > 0) {
      yield {
        path,
        reason:
          image?.replicas === undefined ? 'is no machine of this document' : `lacks ${missing.join(', ')}`,
        allowed: [...images, ...sources.keys()].join(', '),
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

/** The machines on the way from one back to itself; empty where no way comes back to it. */
function circleFrom(id: string, sources: Sources): string[] {
  const seen = new Set<string>();
  const back = (at: string): string[] | undefined => {
    for (const next of sources.get(at) ?? []) {
      if (next === id) return [at];
      if (seen.has(next)) continue;
      seen.add(next);
      const rest = back(next);
      if (rest !== undefined) return [at, ...rest];
    }
    return undefined;
  };
  return back(id) ?? [];
}
