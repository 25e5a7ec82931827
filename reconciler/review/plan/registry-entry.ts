import type { ResourceChange } from './plan-document';
import type { Answers } from './observers';
import { triggersOf } from './triggers-of';

/** Why Terraform replaces the entry of a machine. */
export function replacementOf(entry: ResourceChange | undefined): string {
  return REASONS[entry?.action_reason ?? ''] ?? 'Terraform replaces it';
}

const REASONS: Readonly<Record<string, string>> = {
  replace_because_cannot_update: 'it was changed by hand',
  replace_because_tainted: 'it is tainted',
  replace_by_request: '-replace names it',
  replace_by_triggers: 'replace_triggered_by names what changed',
};

/** Who owned the machine when its entry was made; undefined for a new one. */
export function ownerThen(entry: ResourceChange | undefined): string | undefined {
  const owner = entry && triggersOf(entry.type, entry.change.before)?.['owner'];
  return typeof owner === 'string' ? owner : undefined;
}

interface EntryAndAnswers {
  entry: ResourceChange | undefined;
  answers: Answers | undefined;
}

/** Who the stack says owns it; what it was where the plan does not tell. */
export function ownerNow({ entry, answers }: EntryAndAnswers): string | undefined {
  const then = ownerThen(entry);
  const now = answers?.query['owner'];
  return then === undefined || typeof now !== 'string' ? then : now;
}
