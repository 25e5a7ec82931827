import type { Right } from './asked';

/** One role, and the paths on which it is given. */
export interface Grant {
  role: string;
  privileges: string[];
  paths: string[];
}

/** More guests than these get one grant on all guests: their ids are not what matters. */
export const MOST_GUESTS = 25;

/** Whether there are so many guests that the rights on them are given on `/vms`. */
export function isOnAllGuests(rights: readonly Right[]): boolean {
  return new Set(rights.map(({ path }) => path).filter(isGuest)).size > MOST_GUESTS;
}

const isGuest = (path: string): boolean => path.startsWith('/vms/');

/** Rights as roles: one for each set of privileges, so that no path gets more than it needs. */
export function grantsOf(rights: readonly Right[], prefix: string): Grant[] {
  const widened = isOnAllGuests(rights);
  const byPath = new Map<string, Set<string>>();
  for (const { path, privilege } of rights) {
    const on = widened && isGuest(path) ? '/vms' : path;
    byPath.set(on, (byPath.get(on) ?? new Set()).add(privilege));
  }
  const bySet = new Map<string, string[]>();
  for (const [path, set] of byPath) {
    const key = [...set].sort().join(' ');
    bySet.set(key, [...(bySet.get(key) ?? []), path]);
  }
  return [...bySet].map(([key, paths], index) => ({
    role: `${prefix}-${index + 1}`,
    privileges: key.split(' '),
    paths: paths.sort(),
  }));
}
