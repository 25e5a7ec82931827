import { directoryRecord, inSectors, SECTOR, type DirectoryRecord } from './directory-record';
import { announcement, fileEntries, rootEntries } from './rock-ridge';
import { terminator, volumeDescriptor, wide } from './volume-descriptor';

/** One file of an image. `short`: its name where neither Joliet nor Rock Ridge is read. */
export interface IsoFile {
  name: string;
  short: string;
  content: Buffer;
}

/** Where the parts stand. The sixteen sectors before them are the system's, and empty. */
const AT = { primary: 16, tables: 19, wideTables: 21, root: 23, wideRoot: 24, announcement: 25, files: 26 };
const TABLE_BYTES = 10;
const SELF = Buffer.from([0]);
const PARENT = Buffer.from([1]);

/**
 * An ISO 9660 image with Joliet and Rock Ridge and all files in its root, in the order of their names. The same input
 * gives the same bytes. For a few small files: the names of all of them must fit one sector.
 */
export function isoImage(label: string, files: readonly IsoFile[]): Buffer {
  const sorted = [...files].sort((one, other) => (one.name < other.name ? -1 : 1));
  const placed = placesOf(sorted);
  const sectors = AT.files + placed.reduce((sum, { content }) => sum + sectorsOf(content.length), 0);
  const told = announcement();
  const root = directory(AT.root, told.length, placed, ({ name, short }) => ({
    name: Buffer.from(`${short};1`, 'ascii'),
    entries: fileEntries(name),
  }));
  const wideRoot = directory(AT.wideRoot, undefined, placed, ({ name }) => ({ name: wide(name) }));
  const tables = [AT.root, AT.wideRoot].flatMap(sector => [pathTable(sector, 'LE'), pathTable(sector, 'BE')]);
  const volume = { label, sectors, tableBytes: TABLE_BYTES };
  return Buffer.concat(
    [
      Buffer.alloc(AT.primary * SECTOR),
      volumeDescriptor({ ...volume, kind: 'primary', tablesAt: AT.tables, root: rootRecord(AT.root) }),
      volumeDescriptor({ ...volume, kind: 'joliet', tablesAt: AT.wideTables, root: rootRecord(AT.wideRoot) }),
      terminator(),
      ...tables,
      root,
      wideRoot,
      told,
      ...placed.map(({ content }) => content),
    ].map(inSectors),
  );
}

interface Placed extends IsoFile {
  sector: number;
}

function placesOf(files: readonly IsoFile[]): Placed[] {
  let next = AT.files;
  return files.map(file => {
    const sector = next;
    next += sectorsOf(file.content.length);
    return { ...file, sector };
  });
}

function sectorsOf(bytes: number): number {
  return Math.ceil(bytes / SECTOR);
}

function rootRecord(sector: number): Buffer {
  return directoryRecord({ name: SELF, sector, bytes: SECTOR, isDirectory: true });
}

/** The root directory: itself, its parent, which is itself too, and the files. `told`: bytes of the announcement. */
function directory(
  sector: number,
  told: number | undefined,
  files: readonly Placed[],
  named: (file: Placed) => Pick<DirectoryRecord, 'name' | 'entries'>,
): Buffer {
  const place = { sector, bytes: SECTOR, isDirectory: true };
  const entries = (isFirst: boolean): Pick<DirectoryRecord, 'entries'> =>
    told === undefined ? {} : { entries: rootEntries(isFirst, { sector: AT.announcement, bytes: told }) };
  return Buffer.concat([
    directoryRecord({ ...place, name: SELF, ...entries(true) }),
    directoryRecord({ ...place, name: PARENT, ...entries(false) }),
    ...files.map(file => {
      const { sector: at, content } = file;
      return directoryRecord({ ...named(file), sector: at, bytes: content.length, isDirectory: false });
    }),
  ]);
}

/** ECMA-119, 9.4: one line, for the root. */
function pathTable(sector: number, order: 'LE' | 'BE'): Buffer {
  const table = Buffer.alloc(TABLE_BYTES);
  table.writeUInt8(SELF.length, 0);
  if (order === 'LE') table.writeUInt32LE(sector, 2);
  else table.writeUInt32BE(sector, 2);
  if (order === 'LE') table.writeUInt16LE(1, 6);
  else table.writeUInt16BE(1, 6);
  return table;
}
