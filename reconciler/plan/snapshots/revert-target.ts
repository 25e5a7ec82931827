import type { MachineSpec } from '../../../spec';

/** The snapshot that `revertTo` names. What follows a # only asks for it once more. */
export function revertTarget({ revertTo }: Pick<MachineSpec, 'revertTo'>): string | undefined {
  return revertTo?.replace(/#.*$/, '');
}
