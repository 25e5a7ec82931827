import type { Program } from '../program';
import { commentOf } from './remarks';

/** So many machines are named; of more it is told how many they are. */
const MOST_NAMED = 3;

/** What the guests have and the program does not say, by reason, a line each. All of it stays as it is. */
export function unsaidLines({ machines }: Program): string[] {
  const left = machines.flatMap(({ json, unmanaged }) =>
    unmanaged.map(what => ({ why: 'not managed, by the keys of Proxmox', what, id: String(json['id']) })),
  );
  const refused = machines.flatMap(({ json, unsaid = [] }) =>
    unsaid.map(({ field, why }) => ({
      why: `left out (${why.replace(/\.$/, '')})`,
      what: field,
      id: String(json['id']),
    })),
  );
  const reasons = new Map<string, Map<string, string[]>>();
  for (const { why, what, id } of [...left, ...refused]) {
    const fields = reasons.get(why) ?? new Map<string, string[]>();
    fields.set(what, [...(fields.get(what) ?? []), id]);
    reasons.set(why, fields);
  }
  if (reasons.size === 0) return [];
  const lines = [...reasons].map(([why, fields]) => {
    const told = [...fields].map(([what, ids]) => `${what} (${namesOf(ids)})`);
    return commentOf(`  ${why}: ${told.join(', ')}`);
  });
  return ['What the program does not say stays as it is:', ...lines];
}

function namesOf(ids: readonly string[]): string {
  return ids.length <= MOST_NAMED ? ids.join(', ') : `${ids.length} machines`;
}
