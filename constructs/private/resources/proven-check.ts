import type { ClusterView } from '../calls/cluster-view';
import { observerName } from './names';

/**
 * A warning at each plan that names the machines whose apply alone is refused, because somebody edited their guests in
 * Proxmox. The plan of the others goes on: a precondition would fail it for all of them.
 */
export function provenCheck({ name }: Pick<ClusterView, 'name'>): Record<string, unknown> {
  const observer = observerName(name);
  const told = `lookup(data.external.${observer}.result, "refusedAlone", "")`;
  const sentence = `The apply of these machines will fail, and the others are applied. \${${told}}`;
  const assert = [{ condition: `\${${told} == ""}`, error_message: sentence }];
  return { check: { [observer]: { assert } } };
}
