interface Entry {
  json: string;
  /** The version in which it was last different. */
  version: number;
}

/** What changed in rows since a version: whole rows as JSON, and the keys of those that are gone. */
export interface RowChanges {
  rows: string[];
  gone: (string | number)[];
}

/** Keys of rows that are gone are kept this long; who is further behind gets all rows anew. */
const MOST_GONE = 5000;

/** Rows by key, each with the version in which it last changed, so that many readers share one memory. */
export class Rows {
  private readonly entries = new Map<string | number, Entry>();
  private gone: { key: string | number; version: number }[] = [];
  /** What went before this version is forgotten. */
  private forgotten = 0;

  /** Takes the rows as they are now. */
  take(version: number, rows: Iterable<readonly [string | number, object]>): void {
    const seen = new Set<string | number>();
    for (const [key, row] of rows) {
      seen.add(key);
      const json = JSON.stringify(row);
      if (this.entries.get(key)?.json !== json) this.entries.set(key, { json, version });
    }
    if (seen.size < this.entries.size) this.dropOthers(version, seen);
  }

  /** What a reader must be told who knows this version; 0: who knows nothing. */
  since(version: number): RowChanges & { all: boolean } {
    const all = version < this.forgotten || version === 0;
    const rows: string[] = [];
    for (const entry of this.entries.values()) if (all || entry.version > version) rows.push(entry.json);
    const gone = all ? [] : this.gone.filter(each => each.version > version).map(({ key }) => key);
    return { all, rows, gone };
  }

  private dropOthers(version: number, seen: ReadonlySet<string | number>): void {
    for (const key of this.entries.keys())
      if (!seen.has(key)) {
        this.entries.delete(key);
        this.gone.push({ key, version });
      }
    if (this.gone.length > MOST_GONE) {
      this.forgotten = this.gone.at(-1 - MOST_GONE)?.version ?? version;
      this.gone = this.gone.slice(-MOST_GONE);
    }
  }
}
