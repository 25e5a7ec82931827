import type { EntryChange } from './entry-change';
import type { ResourceChange } from './plan-document';
import { ownerThen } from './registry-entry';
import { triggersOf } from './triggers-of';

interface OfCall {
  id: string;
  module: string;
  cluster: string;
  entry: ResourceChange | undefined;
  entryChange: EntryChange;
}

/**
 * The call of the module that the same machine comes into where its entry leaves this one, or that it leaves where it comes
 * into this one: the call has another name now. Undefined: there is none, or more than one that it may be.
 */
export function otherCallOf(parts: OfCall, all: readonly OfCall[]): string | undefined {
  const { entry } = parts.entryChange;
  if (parts.module === '' || (entry !== 'gone' && entry !== 'new')) return undefined;
  const others = all
    .filter(other => other.module !== '' && other.module !== parts.module && isSame(parts, other))
    .map(({ module }) => module);
  const ofIndex = others.filter(module => indexOf(module) === indexOf(parts.module));
  const [found, ...more] = ofIndex.length > 0 ? ofIndex : others;
  return more.length === 0 ? found : undefined;
}

/** One of both leaves, the other comes, and the owner is one. */
function isSame(one: OfCall, other: OfCall): boolean {
  const [leaves, comes] = one.entryChange.entry === 'gone' ? [one, other] : [other, one];
  const isMove = leaves.entryChange.entry === 'gone' && comes.entryChange.entry === 'new';
  const isOne = one.id === other.id && one.cluster === other.cluster;
  return isMove && isOne && ownerThen(leaves.entry) === ownerOfNew(comes.entry);
}

function ownerOfNew(entry: ResourceChange | undefined): unknown {
  return entry && triggersOf(entry.type, entry.change.after)?.['owner'];
}

/** Which instance of its call a module is: its key, with the brackets. */
function indexOf(module: string): string {
  return /\[(?:"(?:\\.|[^"\\])*"|\d+)\]$/.exec(module)?.[0] ?? '';
}

/** What a person writes, so that the machines of a call that got another name stay as they are. */
export function blockMoved(from: string, to: string): string {
  return `a block moved (from = ${from}, to = ${to})`;
}
