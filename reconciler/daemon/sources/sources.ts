import path from 'node:path';
import { messageOf } from '../../errors';
import { sourcedStates } from '../../input/sourced-states';
import type { Options, Surroundings } from '../../input/surroundings';
import { readdir, stat } from 'node:fs/promises';
import { answered } from '../../config/answered';
import type { DesiredSource, Sourced } from './desired-source';

/** The files that say what is wanted. Whatever becomes of them, the last good reading stays. */
export class Sources implements DesiredSource {
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

/** What tells whether files were written since: names, sizes and times, no content. A place that is away tells that. */
async function fingerprint(places: readonly string[]): Promise<string> {
  const lines: string[] = [];
  for (const place of places) if (place !== '-') lines.push(...(await linesOf(place)));
  return lines.join('\n');
}

async function linesOf(place: string): Promise<string[]> {
  try {
    // through links: a mounted ConfigMap is one, and is replaced behind it
    const found = await answered(place, () => stat(place, { bigint: true }));
    const { size, mtimeNs, ctimeNs, ino } = found;
    if (!found.isDirectory()) return [`${place} ${size} ${mtimeNs} ${ctimeNs} ${ino}`];
    const entries = await answered(place, () => readdir(place));
    const lines: string[] = [];
    for (const entry of entries.filter(name => !name.startsWith('.')).sort())
      lines.push(...(await linesOf(path.join(place, entry))));
    return lines;
  } catch (error) {
    return [`${place} ${error instanceof Error && 'code' in error ? String(error.code) : 'unknown'}`];
  }
}
