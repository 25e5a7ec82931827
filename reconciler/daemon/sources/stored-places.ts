import { InputError, messageOf } from '../../errors';
import { utf8Text } from '../../input/file-text';
import { placeTitle } from '../../input/place-text';
import type { VersionId } from '../../postgres/store';

/** What was read at the places in PostgreSQL: the text of each, and which version it is. */
export interface StoredReading {
  texts: ReadonlyMap<string, string>;
  versions: ReadonlyMap<string, VersionId>;
}

/** The versions of the places that are in PostgreSQL. */
export class StoredPlaces {
  /** Those that were taken: no older one ever takes their place. */
  private readonly taken = new Map<string, VersionId>();
  private readonly failures = new Map<string, unknown>();

  /** What tells whether the place was written since. One that is away tells that. */
  async line(place: string): Promise<string> {
    this.failures.delete(place);
    try {
      const { newestAt } = await import('../../postgres/store.js');
      return lineOf(place, await newestAt(place));
    } catch (error) {
      this.failures.set(place, error);
      return `${place} ${messageOf(error)}`;
    }
  }

  /** Throws where a place cannot be read, or is older than what was taken. One whose look has just failed is not asked again. */
  async read(places: readonly string[]): Promise<StoredReading> {
    const failures = places.filter(place => this.failures.has(place)).map(place => this.failures.get(place));
    // what is wrong is told before what is only away
    const first = failures.find(error => error instanceof InputError) ?? failures[0];
    if (first !== undefined) throw first;
    const { readNewest } = await import('../../postgres/store.js');
    const texts = new Map<string, string>();
    const versions = new Map<string, VersionId>();
    for (const place of places) {
      const { document, version, at } = await readNewest(place, this.taken.get(place));
      texts.set(place, utf8Text(document, placeTitle(place)));
      versions.set(place, { version, at });
    }
    return { texts, versions };
  }

  take({ versions }: StoredReading): void {
    for (const [place, version] of versions) this.taken.set(place, version);
  }
}

/** Whether the lines of a look speak of the versions that were read. */
export function areOf(lines: string, { versions }: StoredReading): boolean {
  const all = lines.split('\n');
  return [...versions].every(([place, version]) => all.includes(lineOf(place, version)));
}

function lineOf(place: string, newest: VersionId | undefined): string {
  return `${place} ${newest?.version} ${newest?.at}`;
}
