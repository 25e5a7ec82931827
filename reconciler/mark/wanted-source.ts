/** How a mark begins to name its source where a daemon wants the guest that another source wrote last. */
const BEGINNING = 'wanted:';

/** As much as `--source` takes: a person must be able to give it. */
const LONGEST = 63;

/**
 * What the mark of such a guest names from then on. It is no source's own name: no `--prune` takes the guest, neither that of
 * the source before nor that of this one, and who wants it too has nothing to write.
 */
export function wantedBy(source: string): string {
  return (BEGINNING + source).slice(0, LONGEST).replace(/[^A-Za-z0-9]+$/, '');
}

export function isWantedBy(source: string | undefined): boolean {
  return source?.startsWith(BEGINNING) === true;
}
