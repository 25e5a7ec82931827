import type { Refusal } from '../action';
import type { ObservedGuest } from '../observed';

/** What keeps a guest from being destroyed. */
export type Stays = { why: 'protected' | 'template' } | { why: 'denied'; refusals: Refusal[] };

/**
 * Why a guest of ours may not be destroyed, whoever asks: a destroy, a rebuild, a review. Undefined: it may.
 * `denied`: what the caller may not do of it; asked only where nothing else speaks against it sooner. Pure.
 */
export function whyItStays(
  { current, template }: Pick<ObservedGuest, 'current' | 'template'>,
  denied: () => Refusal[] = () => [],
): Stays | undefined {
  if (Number(current['protection'] ?? 0) === 1) return { why: 'protected' };
  const refusals = denied();
  if (refusals.length > 0) return { why: 'denied', refusals };
  return template ? { why: 'template' } : undefined;
}
