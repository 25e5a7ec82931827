import type { MachineSpec } from '../../spec';
import type { Refusal, Warning } from '../action';
import type { WantedOfPlan } from '../machine/plan-context';
import { revertTarget } from './snapshots/revert-target';

/**
 * Why a machine is not made though its spec can be read, wherever it would be. `replaces`: what is there is destroyed
 * for it first.
 */
export function notMade(
  spec: MachineSpec,
  { snapshots }: Pick<WantedOfPlan, 'snapshots'>,
  { replaces }: { replaces: boolean },
): Refusal[] {
  return [...nothingToAdopt(spec, replaces), ...(replaces ? snapshotLost(spec, snapshots) : [])];
}

/**
 * What to tell of a new machine that is to go back to a snapshot which it cannot have. It is made all the same: the one
 * that had it may have been lost, or destroyed by Terraform to be replaced.
 */
export function nothingToGoBackTo(
  spec: MachineSpec,
  { snapshots }: Pick<WantedOfPlan, 'snapshots'>,
): Warning[] {
  const to = unmet(spec, snapshots);
  if (to === undefined) return [];
  const text = `a new machine has no snapshot '${to}', so it cannot go back to one. Remove revertTo.`;
  return [{ about: 'revertTo', text }];
}

function snapshotLost(spec: MachineSpec, snapshots: WantedOfPlan['snapshots']): Refusal[] {
  const to = unmet(spec, snapshots);
  if (to === undefined) return [];
  return [
    {
      machine: spec.id,
      why: 'no-snapshot',
      detail: `the machine is to be made anew, and a new machine has no snapshot '${to}' to go back to.`,
      remedy: 'Remove revertTo; say it again once the machine has that snapshot.',
      changed: 'nothing',
    },
  ];
}

/** Going back to one that is taken of it as it is made is done with that. */
function unmet(spec: MachineSpec, snapshots: WantedOfPlan['snapshots'] = []): string | undefined {
  const to = revertTarget(spec);
  return snapshots.some(({ name }) => name === to) ? undefined : to;
}

/** A machine that was to be taken over would be an empty one. */
function nothingToAdopt({ id: machine, adopt, vmid, image }: MachineSpec, replaces: boolean): Refusal[] {
  if (adopt !== true || image !== undefined) return [];
  const [detail, give] = replaces
    ? ['the machine would be made anew, and it has no image to be made from', 'Give it an image']
    : [
        `there is no guest ${vmid} to adopt, or none that the user may see`,
        'Give the vmid of the guest; or, to have the machine made, remove adopt and give an image',
      ];
  const remedy = `${give}, such as { blank: true } for empty disks.`;
  return [{ machine, why: 'nothing-to-adopt', detail: `${detail}.`, remedy, changed: 'nothing' }];
}
