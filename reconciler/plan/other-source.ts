import { untouched, type Refusal, type Warning } from '../action';
import { letGoFirst } from '../guest/let-go';
import { isOfKubernetes, otherKubernetes, takeOverWords } from '../mark/kubernetes-source';
import { isWantedBy, wantedBy } from '../mark/wanted-source';
import type { Scene } from '../machine/scene';

type Marked = Pick<Scene, 'mark' | 'context' | 'origin'>;

/** A machine whose mark names another source: two of them that share an owner would write it in turn, for ever. Pure. */
export function otherSource(scene: Marked): Warning[] {
  const { sourceName: own = '' } = scene.context.wanted;
  const other = otherWriter(scene);
  if (other === undefined || other === wantedBy(own)) return [];
  const text = `it was last written by source "${other}", and this is source "${own}", of the same owner: the next write takes it over. Where both are one, give them one name (--source, PVE_SOURCE); else give one of them another owner.`;
  return [{ about: 'source', text }];
}

/** A run by hand or of the daemon changes what a Terraform state holds too: the two would undo each other, in turn. Pure. */
export function heldByTerraform({ mark, context, origin }: Marked): Warning[] {
  const { isOfStack, identity } = context.wanted;
  const { entry, isOfTerraform } = identity;
  // the folder of the stack says what that state wants
  if (isOfStack === true) return [];
  if (origin !== 'kept' || entry !== undefined || isOfTerraform === true || mark?.entry === undefined)
    return [];
  const text = `a Terraform state holds it: what is changed here, its next apply changes back. Change it there. To keep it here instead: first say adopt: true with its vmid here, then ${letGoFirst(mark)}.`;
  return [{ about: 'held by Terraform', text }];
}

/**
 * What the mark is to name at once as its source, though nothing else is to be written. Undefined: it stays as it is. It is
 * written once: any other daemon that wants the machine too finds a mark that no `--prune` takes, and leaves it so. What a
 * Terraform state holds is not pruned anyway, and a Kubernetes writes its own name. Pure.
 */
export function sourceAtOnce(scene: Marked): string | undefined {
  const { sourceName: own, takesOver } = scene.context.wanted;
  if (takesOver !== true || own === undefined || isOfKubernetes(own)) return undefined;
  const other = scene.mark?.entry === undefined ? otherWriter(scene) : undefined;
  return other === undefined || isWantedBy(other) ? undefined : wantedBy(own);
}

/** The other source that the mark names. */
function otherWriter({ mark, context, origin }: Marked): string | undefined {
  const { sourceName: own, source } = context.wanted;
  const other = mark?.source;
  if (origin !== 'kept' || own === undefined || other === undefined || other === own) return undefined;
  return source?.names.includes(other) === true ? undefined : other;
}

/** A guest that another Kubernetes holds: what stands there counts, until a person says that it is this one's. Pure. */
export function heldByKubernetes({
  spec,
  mark,
  context,
}: Pick<Scene, 'spec' | 'mark' | 'context'>): Refusal[] {
  const { sourceName, source } = context.wanted;
  // who only reads takes nothing over
  if (spec.mode === 'observe') return [];
  const own = sourceName === undefined ? [] : [sourceName];
  const other = otherKubernetes(mark, [...own, ...(source?.names ?? [])]);
  if (other === undefined) return [];
  const detail = `its guest is held by source "${other}", which is another Kubernetes, and this is ${sourceName === undefined ? 'a source without a name' : `source "${sourceName}"`}.`;
  return [{ machine: spec.id, ...untouched('other-kubernetes', detail, takeOverWords(other)) }];
}
