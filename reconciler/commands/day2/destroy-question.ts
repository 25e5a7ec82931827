import type { Losses } from '../../../spec';
import type { Warning } from '../../action';
import { withLosses } from '../../plan/losses-text';
import { oneLine } from '../../report/visible';

/** A machine to destroy. Its place, as listed, is only for the question. */
export interface Chosen {
  owner: string;
  /** One owner may have machines on several clusters. */
  cluster: string;
  machine: string;
  /** The name that was given: the machine's, or one that it had before. */
  asked: string;
  place: string;
  isWanted: boolean;
  /** What the question says that goes with it. Absent: nobody is asked. */
  named?: Losses;
  /** The generation that it had then. Absent: it has none, or nobody is asked. */
  generation?: string | undefined;
  /** What the question says of what could not be read. */
  unread?: Warning[];
  /** The source that its mark named for the question, `null` for none. Absent: it was not read. */
  writtenBy?: string | null;
  /** That is none of those that ask, and the question says so: it may want the machine still. */
  isOthers?: boolean;
  /** The machine that its mark names, where only an id of before finds it. */
  marked?: string;
}

export function ownerText({ owner, cluster }: Chosen): string {
  return `${owner} in cluster ${cluster}`;
}

/** The question, as far as it is of this machine. */
export function told(each: Chosen): string {
  const { machine, asked, place, isWanted, named, unread = [], writtenBy, isOthers, marked } = each;
  const now = asked === machine ? '' : `${asked} is ${machine} now: `;
  const again = isWanted ? ' The desired state still names it: the next apply makes it anew.' : '';
  const was =
    marked === undefined ? '' : ` Its mark names machine ${marked}, an id that ${machine} had before.`;
  const other = isOthers !== true ? '' : `${was} Source "${writtenBy}" wrote it last, and may want it still.`;
  return `${now}${machine} (${place}, of ${ownerText(each)}) is destroyed ${oneLine(withLosses(named))}.${unread.map(({ text }) => ` And ${oneLine(text)}`).join('')}${other}${again}`;
}
