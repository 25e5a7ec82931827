import type { MachineSpec } from '../../../spec';
import type { Scene } from '../../machine/scene';

/** The snapshot that `revertTo` names. What follows a # only asks for it once more. */
export function revertTarget({ revertTo }: Pick<MachineSpec, 'revertTo'>): string | undefined {
  return revertTo?.replace(/#.*$/, '');
}

/** The snapshot to go back to: the one that a person names by hand, else that of the spec. */
export function revertAsked({ spec, context }: Pick<Scene, 'spec' | 'context'>): string | undefined {
  return context.wanted.revert ?? revertTarget(spec);
}
