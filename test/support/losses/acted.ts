import type { Roll } from '../random/dice';
import type { Names } from './reviewed';
import type { Stage } from './stage';
import type { Item } from './standing';

/** What one run of a front end said it would take, and what went. */
export interface Acted {
  /** What was done, in words. */
  how: string;
  /** Whatever goes must be named in each of these. */
  names: Names;
  gone: Item[];
  /** What somebody else took, renamed or gave away meanwhile. */
  takenByOthers: ReadonlySet<string>;
  /** Volumes that have two users since, in words. */
  shared: string[];
  /** All that stood when it began, or came meanwhile. */
  stood: ReadonlyMap<string, Item>;
  /** It ended well: whatever was named must be gone. */
  isDone: boolean;
  /** A flag said that kept volumes go. */
  hasFlag: boolean;
  /** What was said, for whoever looks into a fault. */
  said: string[];
}

/** What somebody else does meanwhile; false: nothing. */
type Gap = () => Promise<boolean>;

/**
 * One way to change the cluster; undefined where there is nothing for it to do. `gap`: what somebody else does between
 * what was said and what is done, where a run binds itself to what it said.
 */
export type FrontEnd = (stage: Stage, roll: Roll, gap: Gap) => Promise<Acted | undefined>;
