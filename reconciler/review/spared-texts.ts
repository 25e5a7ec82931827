import type { Spared } from './plan/entry-fate';
import type { MachineParts } from './plan/parts';
import { replacementOf } from './plan/registry-entry';

const STAYS = 'the machine stays, and nobody manages it.';
const HELD = 'the machine still belongs to the old one, and the apply is refused.';

/** Why a machine stays though its registry entry goes, and what to do instead. */
export const SPARED_TEXTS: { [S in Spared]: (parts: MachineParts) => string } = {
  forgotten: parts => `Terraform is told to forget it: ${after(parts)}`,
  tainted: parts =>
    `its registry entry is tainted, and for such a one Terraform runs no destroy: ${after(parts)} Run untaint '${parts.entry?.address ?? ''}' first.`,
  'created-first': parts =>
    `its registry entry is replaced (${replacementOf(parts.entry)}) by create_before_destroy, so Terraform runs no destroy: ${after(parts)} Take create_before_destroy out of what reads the machine.`,
  // Terraform: a destroy provisioner that is no longer in the configuration does not run
  unwritten: ({ module }) => {
    const [gone, remedy] =
      module === ''
        ? ['its cluster', 'Put a RemovedCluster in its place']
        : [`the call of ${module}`, 'Put the call back with no machines'];
    return `${gone} is gone from the code, so Terraform runs no destroy: ${STAYS} ${remedy}, apply, then remove that.`;
  },
};

function after({ fate }: MachineParts): string {
  return fate.entry === 'replaced' ? HELD : STAYS;
}
