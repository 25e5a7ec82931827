/** One privilege on one path. */
export interface Right {
  path: string;
  privilege: string;
}

/** Rights that are enough together. */
export type Way = readonly Right[];

/** One question of the permission checks: a request passes with any of these ways. */
export interface Question {
  ways: readonly Way[];
  /** Whether it was refused when it was last asked. */
  refused: boolean;
}

/** What one user or token was asked for. */
export interface AskedOf {
  /** Without these a call fails. */
  needed: ReadonlyMap<string, Question>;
  /** Without these a call succeeds, and shows less. */
  shown: ReadonlyMap<string, Question>;
  /** Questions that were not kept, because there were too many. */
  left: number;
}

interface Kept extends AskedOf {
  needed: Map<string, Question>;
  shown: Map<string, Question>;
}

/** How many different questions are kept for each user, and for how many users. */
const MOST_QUESTIONS = 5000;
const MOST_USERS = 50;

/** What the permission checks asked while they judged requests, by user. It grows with different questions only, up to a limit. */
export class Asked {
  private byUser = new Map<string, Kept>();
  /** Users that came when there were too many. */
  private leftUsers = 0;
  private onlyShows = false;

  /** Takes note of a question that decides whether a call is done. */
  need(user: string, ways: readonly Way[], passed: boolean): void {
    if (this.onlyShows) this.show(user, ways.map(onAllGuests), passed);
    else this.keep(user, 'needed', ways, passed);
  }

  /** Does what asks for rights only to leave out of a list what the caller must not see. */
  whileListing<T>(work: () => T): T {
    this.onlyShows = true;
    try {
      return work();
    } finally {
      this.onlyShows = false;
    }
  }

  /** Takes note of a question that decides only how much a call shows. */
  show(user: string, ways: readonly Way[], passed: boolean): void {
    this.keep(user, 'shown', ways, passed);
  }

  users(): string[] {
    return [...this.byUser.keys()].sort();
  }

  of(user: string): AskedOf | undefined {
    return this.byUser.get(user);
  }

  usersLeft(): number {
    return this.leftUsers;
  }

  clear(): void {
    this.byUser = new Map();
    this.leftUsers = 0;
  }

  private keep(user: string, kind: 'needed' | 'shown', ways: readonly Way[], passed: boolean): void {
    const kept = this.keptOf(user);
    if (!kept) return;
    const questions = kept[kind];
    const key = keyOf(ways);
    const known = questions.get(key);
    if (known) known.refused = !passed;
    else if (questions.size < MOST_QUESTIONS) questions.set(key, { ways, refused: !passed });
    else kept.left += 1;
  }

  private keptOf(user: string): Kept | undefined {
    const known = this.byUser.get(user);
    if (known) return known;
    if (this.byUser.size >= MOST_USERS) {
      this.leftUsers += 1;
      return undefined;
    }
    const kept = { needed: new Map<string, Question>(), shown: new Map<string, Question>(), left: 0 };
    this.byUser.set(user, kept);
    return kept;
  }
}

/** A list asks for each guest; the least that shows all of them is one right on all guests. */
export const shownPath = (path: string): string => (path.startsWith('/vms/') ? '/vms' : path);

function onAllGuests(way: Way): Way {
  return way.map(({ path, privilege }) => ({ path: shownPath(path), privilege }));
}

/** The same for the same question. It is built for each check, so without any help of JSON. */
function keyOf(ways: readonly Way[]): string {
  let key = '';
  for (const way of ways) {
    for (const { path, privilege } of way) key += `${path} ${privilege},`;
    key += ';';
  }
  return key;
}

/** The ways to hold all of these privileges on a path, or with `any` one of them. */
export function waysOn(path: string, privileges: readonly string[], any: boolean): Way[] {
  const rights = privileges.map(privilege => ({ path, privilege }));
  return any ? rights.map(right => [right]) : [rights];
}
