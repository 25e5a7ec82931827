import { messageOf } from '../../errors';
import { sourcedStates } from '../../input/sourced-states';
import type { Options, Surroundings } from '../../input/surroundings';
import { fingerprint } from './fingerprint';

/** What they say, with the source that it is of. */
export type Sourced = Awaited<ReturnType<typeof sourcedStates>>;

/** The files that say what is wanted. Whatever becomes of them, the last good reading stays. */
export class Sources {
  private print: string | undefined;
  private goodSince = Infinity;
  private readonly around: Surroundings;

  /** What is wrong with them now; undefined: nothing. */
  fault: string | undefined;

  constructor(
    private readonly options: Options,
    around: Surroundings,
  ) {
    let input: Promise<string> | undefined;
    // stdin is there once
    const readInput = (): Promise<string> => (input ??= around.readInput());
    this.around = { ...around, readInput, leavesOutUnknown: true };
  }

  /** Reads them, where they were written since. Undefined: there is nothing new, or it is wrong: see `fault`. */
  async readIfNew(): Promise<Sourced | undefined> {
    const print = await this.printNow();
    if (print === this.print) return undefined;
    let read: Sourced | undefined;
    let fault: string | undefined;
    try {
      read = await sourcedStates(this.options, this.around);
    } catch (error) {
      // whatever it is, the last good reading stays
      fault = messageOf(error);
    }
    // somebody is writing: what was read may be a half of it
    if ((await this.printNow()) !== print) return undefined;
    this.print = print;
    this.fault = fault;
    this.goodSince = fault === undefined ? Date.now() : Infinity;
    return read;
  }

  /** How long they have stood as they were last read, and were good. Negative: they are not, or not read any more. */
  async goodForMs(): Promise<number> {
    return (await this.printNow()) === this.print ? Date.now() - this.goodSince : -1;
  }

  private printNow(): Promise<string> {
    const { spec = [], manifests = [], secrets } = this.options;
    return fingerprint([...spec, ...manifests, ...(secrets === undefined ? [] : [secrets])]);
  }
}
