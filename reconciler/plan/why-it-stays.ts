import type { Refusal } from '../action';
import type { Identity } from '../mark/identity';
import type { ObservedGuest } from '../observed';

/** What keeps a guest from being destroyed. */
export type Stays =
  { why: 'protected' | 'template' | 'other-entry' } | { why: 'denied'; refusals: Refusal[] };

/**
 * Why a guest of ours may not be destroyed, whoever asks: a destroy, a rebuild, a review. Undefined: it may.
 * `denied`: what the caller may not do of it; asked only where nothing else speaks against it sooner.
 * `asks`: who destroys it, where that is known: what Terraform made is destroyed by its state alone. Pure.
 */
export function whyItStays(
  { current, template, mark }: Pick<ObservedGuest, 'current' | 'template' | 'mark'>,
  denied: () => Refusal[] = () => [],
  asks?: Pick<Identity, 'entry'>,
): Stays | undefined {
  if (asks && asks.entry === undefined && mark?.e !== undefined) return { why: 'other-entry' };
  if (Number(current['protection'] ?? 0) === 1) return { why: 'protected' };
  const refusals = denied();
  if (refusals.length > 0) return { why: 'denied', refusals };
  // what was made to be a template goes like any other machine
  return template && mark?.a === undefined ? { why: 'template' } : undefined;
}
