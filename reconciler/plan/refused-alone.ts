import type { MachinePlan } from '../action';
import type { ObservedMachine } from '../observed';

/** The guest carries our tag and is not proven: somebody edited it, or copied it. */
const UNPROVEN = [
  ...(['damaged-mark', 'later-mark', 'lost-mark', 'lost-mark-of-entry', 'lost-mark-and-more'] as const),
  ...(['which-device', 'tagged', 'copy', 'two-guests'] as const),
];

/**
 * Somebody worked on the guest or its volumes: a disk was grown or taken off, a volume removed, a snapshot rolled back, a
 * template made. An edit of the code can end in the first one too, a smaller size: nothing tells these two apart.
 */
const BY_HAND = ['disk-size', 'disk-lost', 'disk-gone', 'rolled-back', 'template'] as const;

const ON_ITS_OWN = new Set<string>([...UNPROVEN, ...BY_HAND]);

/**
 * Whether the refusals of a plan hold up this machine alone: all of them may have come about in Proxmox, with no edit of
 * the code. Others, and those of a machine that is still to be made, fail Terraform's plan of all (ADR 0021). Pure.
 */
export function isRefusedAlone({ refusals }: Pick<MachinePlan, 'refusals'>, have: ObservedMachine): boolean {
  const isThere = have.kind === 'refused' || (have.kind === 'present' && !have.unfinished);
  return isThere && refusals.every(({ why }) => ON_ITS_OWN.has(why));
}
