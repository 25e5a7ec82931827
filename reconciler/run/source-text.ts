import type { Source } from '../machine/plan-context';

/** What a run takes for its own, in words that follow "this is". */
export function sourceText(own: Source | undefined): string {
  if (own === undefined) return 'a source without a name';
  return own.names.map(name => `source "${name}"`).join(' and ');
}
