import { withoutIndexes } from './configuration';
import type { PlanDocument } from './document';

/** What a resource of the outermost module waits for, directly or not, by the code: addresses without indexes. */
export function dependenciesOf({ configuration }: PlanDocument, address: string): Set<string> {
  const written = new Map(
    (configuration?.root_module?.resources ?? []).map(resource => [resource.address, resource] as const),
  );
  const found = new Set<string>();
  const visit = (at: string): void => {
    const { expressions = {}, depends_on = [] } = written.get(at) ?? {};
    const read = Object.values(expressions).flatMap(({ references = [] }) => references);
    for (const next of [...read, ...depends_on].map(resourceOf)) {
      if (found.has(next) || !written.has(next)) continue;
      found.add(next);
      visit(next);
    }
  };
  visit(withoutIndexes(address));
  return found;
}

/** The resource that a reference names: it may go on to an attribute. */
function resourceOf(reference: string): string {
  const parts = withoutIndexes(reference).split('.');
  return parts.slice(0, parts[0] === 'data' ? 3 : 2).join('.');
}
