import type { Orphan } from '../run/reads/orphans';
import { sourceText, type Source } from '../run/wanted';

/**
 * Why an orphan is not pruned, whatever the files say: two daemons may have one owner, and what one of them asks for is an
 * orphan to the other. `isSeen`: this daemon has seen it asked for. Undefined: it may go. Pure.
 */
export function pruneHindrance(
  { entry, source }: Pick<Orphan, 'entry' | 'source'>,
  own: Source | undefined,
  isSeen: boolean,
): string | undefined {
  if (entry !== undefined) return 'A Terraform state holds it: destroy it there.';
  if (source !== undefined && own?.names.includes(source) !== true)
    return `It is not pruned: source "${source}" wrote it last, and this is ${sourceText(own)}. Where nobody wants it any more: pve-reconciler gc --yes --source '${source}' --spec FILE.`;
  if (isSeen || (source !== undefined && own?.isNamed === true)) return undefined;
  if (source === undefined)
    return 'It is not pruned: its mark names no source, and this daemon has never seen it asked for. Where nobody wants it any more: pve-reconciler gc --yes --spec FILE.';
  return `It is not pruned: this daemon has never seen it asked for, and "${source}" is only the name of a place, which others may have too. Give it as a name (PVE_SOURCE='${source}'), or remove it: pve-reconciler gc --yes --spec FILE.`;
}
