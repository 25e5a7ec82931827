import type { Path } from '../../spec';

/** One document of a file, as it was read. */
export interface Document {
  /** The file, or what else it was read from. */
  name: string;
  json: unknown;
  /** Where the value at this path stands, as `file:line:column`; where it is absent, what would hold it. */
  placeOf: (path: Path) => string;
}
