import { isAclPath } from '../acl-path';
import type { Question, Right, Way } from './asked';

/** The rights that are enough for all questions, none of them superfluous. */
export interface Least {
  rights: Right[];
  /** Questions that no right answers: what they ask for stands on no path of the ACL, or only root@pam may. */
  beyond: number;
}

const keyOf = ({ path, privilege }: Right): string => `${path} ${privilege}`;
const depthOf = ({ path }: Right): number => path.split('/').filter(part => part !== '').length;

/** Finds the least rights for these questions, beside those that are held already. Of several ways it takes the one that gives away least. */
export function leastRights(questions: Iterable<Question>, held: readonly Right[] = []): Least {
  const had = new Set(held.map(keyOf));
  const given = new Map<string, Right>();
  const has = (right: Right): boolean => had.has(keyOf(right)) || given.has(keyOf(right));
  const open: Way[][] = [];
  let beyond = 0;
  for (const { ways } of questions) {
    const possible = ways.filter(way => way.every(({ path }) => isAclPath(path)));
    const [only] = possible;
    if (only === undefined) beyond += 1;
    else if (possible.length > 1) open.push(possible);
    else for (const right of only) if (!has(right)) given.set(keyOf(right), right);
  }
  const chosen: Right[] = [];
  for (const ways of open) {
    const [best = []] = [...ways].sort((left, right) => costOf(left, has) - costOf(right, has));
    for (const right of best)
      if (!has(right)) {
        given.set(keyOf(right), right);
        chosen.push(right);
      }
  }
  dropSuperfluous(chosen, open, {
    has,
    drop: right => void given.delete(keyOf(right)),
    add: right => void given.set(keyOf(right), right),
  });
  return { rights: [...given.values()], beyond };
}

/** Privileges that give away more than a part of a guest. */
const STRONG = /^(?:Permissions\.Modify|Sys\.(?!Audit)|Realm\.|User\.Modify)|\.Allocate$/;

/** How much a way gives away: strong privileges and those on the whole cluster weigh more than several others. */
function costOf(way: Way, has: (right: Right) => boolean): number {
  const weigh = (right: Right): number =>
    (STRONG.test(right.privilege) ? 30 : 0) + (depthOf(right) === 0 ? 50 : 5 - depthOf(right));
  return way.filter(right => !has(right)).reduce((sum, right) => sum + weigh(right), 0);
}

interface Given {
  has(right: Right): boolean;
  drop(right: Right): void;
  add(right: Right): void;
}

/** A right that was chosen early may be needless after a later choice. */
function dropSuperfluous(chosen: readonly Right[], open: readonly Way[][], given: Given): void {
  const users = new Map<string, Way[][]>();
  for (const ways of open)
    for (const key of new Set(ways.flat().map(keyOf))) users.set(key, [...(users.get(key) ?? []), ways]);
  for (const right of chosen) {
    given.drop(right);
    const asking = users.get(keyOf(right)) ?? [];
    if (!asking.every(ways => ways.some(way => way.every(given.has)))) given.add(right);
  }
}
