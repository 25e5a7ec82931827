import path from 'node:path';
import { messageOf, StoreAwayError } from '../../errors';
import { sourcedStates } from '../../input/sourced-states';
import type { Options, Surroundings } from '../../input/surroundings';
import { readdir, realpath, stat } from 'node:fs/promises';
import { answered } from '../../config/answered';
import { isPostgres } from '../../postgres/address';
import type { DesiredSource, Sourced } from './desired-source';
import { emptyFolder } from './empty-folder';
import { refusePruneOfStacks } from './prune-of-stacks';
import { areOf, StoredPlaces, type StoredReading } from './stored-places';

/** The files, and what stands in PostgreSQL, that say what is wanted. Whatever becomes of them, the last good reading stays. */
export class Sources implements DesiredSource {
  private print: string | undefined;
  /** By the clock that only goes on: the time of day may be set. */
  private goodSince = Infinity;
  /** When they were last seen to be as they were read. */
  private seenAt: string | undefined;
  private readonly stored = new StoredPlaces();
  private readonly around: Surroundings;

  /** What is wrong with them now; undefined: nothing. */
  fault: string | undefined;
  isAway = false;
  cutFile: string | undefined;
  emptyFolder: string | undefined;
  /** Somebody writes them at this time: what was read is the reading before. */
  private isUnsettled = false;

  constructor(
    private readonly options: Options,
    around: Surroundings,
  ) {
    let input: Promise<string> | undefined;
    // stdin is there once
    const readInput = (): Promise<string> => (input ??= around.readInput());
    this.around = { ...around, readInput, leavesOutUnknown: true };
  }

  get mayGoBack(): boolean {
    return this.places.some(isPostgres);
  }

  /** A file that is wrong is wrong on this host; a database is that of all hosts, and another one may read it. */
  get mayBeOld(): boolean {
    return this.isUnsettled || (this.fault !== undefined && this.mayGoBack);
  }

  /** Reads them, where they were written since. Undefined: there is nothing new, or it is wrong: see `fault`. */
  async readIfNew(): Promise<Sourced | undefined> {
    const print = await this.printNow();
    if (print === this.print) {
      this.isUnsettled = false;
      if (this.fault === undefined) this.seenAt = new Date().toISOString();
      return undefined;
    }
    const { read, stored, fault, isAway, empty } = await this.readNow();
    // somebody is writing: what was read may be a half of it
    this.isUnsettled = !isAway && (!areOf(print, stored) || (await this.printNow()) !== print);
    if (this.isUnsettled) return undefined;
    // what is away is read again at the next look, whatever it looked like before
    this.print = isAway ? undefined : print;
    [this.fault, this.isAway] = [fault, isAway];
    this.goodSince = fault === undefined ? performance.now() : Infinity;
    if (read !== undefined) {
      // of a reading that is wrong nothing is taken: the one before goes on, with what was doubtful of it
      [this.cutFile, this.emptyFolder] = [read.cutFile, empty];
      this.stored.take(stored);
      this.seenAt = new Date().toISOString();
    }
    return read;
  }

  private async readNow() {
    let stored: StoredReading = { texts: new Map(), versions: new Map() };
    try {
      await refusePruneOfStacks(this.options);
      stored = await this.stored.read(this.places.filter(isPostgres));
      const read = await sourcedStates(this.options, { ...this.around, texts: stored.texts });
      const { manifests = [] } = this.options;
      const empty = await emptyFolder(manifests.filter(place => place !== '-' && !isPostgres(place)));
      return { read, stored, fault: undefined, isAway: false, empty };
    } catch (error) {
      // whatever it is, the last good reading stays
      const isAway = error instanceof StoreAwayError;
      return {
        read: undefined,
        stored,
        fault: isAway ? this.awayText(messageOf(error)) : messageOf(error),
        isAway,
        empty: undefined,
      };
    }
  }

  /** How long they have stood as they were last read, and were good. Negative: they are not, or not read any more. */
  async goodForMs(): Promise<number> {
    if (this.print === undefined) return -1;
    return (await this.printNow()) === this.print ? performance.now() - this.goodSince : -1;
  }

  private awayText(why: string): string {
    return this.seenAt === undefined
      ? `${why} There is no desired state yet: it is waited for.`
      : `${why} The desired state is as it was at ${this.seenAt}, and may be old.`;
  }

  private get places(): string[] {
    const { spec = [], manifests = [] } = this.options;
    return [...spec, ...manifests];
  }

  private printNow(): Promise<string> {
    const { secrets } = this.options;
    return fingerprint([...this.places, ...(secrets === undefined ? [] : [secrets])], this.stored);
  }
}

/** What tells whether places were written since: names, sizes and times, no content. A place that is away tells that. */
async function fingerprint(places: readonly string[], stored: StoredPlaces): Promise<string> {
  // two places that do not answer are waited for at once
  const lines = await Promise.all(
    places.map(async place => {
      if (isPostgres(place)) return [await stored.line(place)];
      return place === '-' ? [] : linesOf(place);
    }),
  );
  return lines.flat().join('\n');
}

/** `seen`: the folders so far, as links may lead in a circle. */
async function linesOf(place: string, seen = new Set<string>()): Promise<string[]> {
  try {
    // through links: a mounted ConfigMap is one, and is replaced behind it
    const found = await answered(place, () => stat(place, { bigint: true }));
    const { size, mtimeNs, ctimeNs, ino } = found;
    if (!found.isDirectory()) return [`${place} ${size} ${mtimeNs} ${ctimeNs} ${ino}`];
    const truly = await answered(place, () => realpath(place));
    if (seen.has(truly)) return [];
    seen.add(truly);
    const entries = await answered(place, () => readdir(place));
    const shown = entries.filter(name => !name.startsWith('.')).sort();
    const lines = shown.length === 0 ? [`${place} has only ${entries.sort().join(' ')}`] : [];
    for (const entry of shown) lines.push(...(await linesOf(path.join(place, entry), seen)));
    return lines;
  } catch (error) {
    return [`${place} ${error instanceof Error && 'code' in error ? String(error.code) : 'unknown'}`];
  }
}
