import { untouched, type Refusal } from '../action';
import type { Identity } from '../mark/identity';
import type { ObservedGuest } from '../observed';

/** What keeps a guest from being destroyed. */
export type Stays =
  | { why: 'protected' | 'template' | 'other-entry' }
  | { why: 'other-source'; source: string }
  | { why: 'denied'; refusals: Refusal[] };

/**
 * Why a guest of ours may not be destroyed, whoever asks: a destroy, a rebuild, a review. Undefined: it may.
 * `denied`: what the caller may not do of it; asked only where nothing else speaks against it sooner.
 * `asks`: who destroys it, where that is known: what Terraform made is destroyed by its state alone. Pure.
 */
export function whyItStays(
  { current, template, mark }: Pick<ObservedGuest, 'current' | 'template' | 'mark'>,
  denied: () => Refusal[] = () => [],
  asks?: Pick<Identity, 'entry' | 'writtenBy'>,
): Stays | undefined {
  if (asks && asks.entry === undefined && mark?.e !== undefined) return { why: 'other-entry' };
  const expected = asks?.writtenBy;
  if (expected !== undefined && (mark?.so ?? null) !== expected)
    return { why: 'other-source', source: mark?.so ?? 'nobody' };
  if (Number(current['protection'] ?? 0) === 1) return { why: 'protected' };
  const refusals = denied();
  if (refusals.length > 0) return { why: 'denied', refusals };
  // what was made to be a template goes like any other machine
  return template && mark?.a === undefined ? { why: 'template' } : undefined;
}

/** The same as refusals of its destroy. `clones`: of a template, the linked clones of it that are known. Pure. */
export function destroyRefusals(
  machine: string,
  { vmid, node }: Pick<ObservedGuest, 'vmid' | 'node'>,
  stays: Stays,
  clones: readonly number[] = [],
): Refusal[] {
  if (stays.why === 'denied') return stays.refusals;
  const place = `guest ${vmid} on ${node}`;
  const standing = clones.length === 0 ? '' : `, and there are linked clones of it: ${clones.join(', ')}`;
  const told = {
    'other-entry': { detail: `${place} belongs to a Terraform state.`, remedy: 'Destroy it there.' },
    'other-source': {
      detail: `${place} was written by another source since it was looked at: ${'source' in stays ? stays.source : ''}.`,
      remedy: 'Look again at what is left.',
    },
    protected: {
      detail: `${place} is protected.`,
      remedy: `Set protection to false and apply that first; of a machine that left the desired state clear it on ${node} (qm set ${vmid} --protection 0).`,
    },
    template: { detail: `${place} is a template now${standing}.`, remedy: 'Remove it by hand.' },
  };
  const { detail, remedy } = told[stays.why];
  return [{ machine, ...untouched(stays.why, detail, remedy) }];
}
