import type { Called } from './draft';
import { unlike } from './networks';

/** The guests' ids in the program, by vmid: their names, made valid and each of its own. */
export function callAll(guests: readonly { vmid: number; name: string | undefined }[]): Map<number, Called> {
  const taken = new Set<string>();
  return new Map(
    guests.map(({ vmid, name }) => {
      const wish = idFrom(name) ?? `vm-${vmid}`;
      const isFree = !taken.has(wish.toLowerCase());
      const id = isFree ? unlike(wish, taken) : unlike(`${wish.slice(0, 50)}-${vmid}`, taken);
      // a name that two have cannot be wanted of both: it stays as it is
      const isSaid = isFree && name !== undefined && name !== id;
      return [vmid, { id, ...(isSaid ? { name } : {}) }] as const;
    }),
  );
}

function idFrom(name: string | undefined): string | undefined {
  const label = (name ?? '')
    .replace(/[^a-zA-Z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60);
  return label === '' ? undefined : label.replace(/-$/, '');
}
