import type { Member } from '../calls/machine-view';
import { revisionName } from './names';

/** A warning at each plan when a machine that is only observed differs. It stands in the way of nothing. */
export function driftCheck(cluster: string, member: Member, drift: () => string): Record<string, unknown> {
  if (modeOf(member.spec().json) !== 'observe') return {};
  const told = drift();
  const sentence = `machine ${member.id} differs from its spec, and is only observed (mode: observe): \${${told}}`;
  const assert = [{ condition: `\${${told} == ""}`, error_message: sentence }];
  return { check: { [revisionName(cluster, member.id)]: { assert } } };
}

function modeOf(spec: unknown): unknown {
  return typeof spec === 'object' && spec !== null && 'mode' in spec ? spec.mode : undefined;
}
