import { both32, DATE } from './directory-record';

const READABLE_FILE = 0o100444;
const READABLE_DIRECTORY = 0o040555;

/** The entries of a file: its real name, and that everybody may read it (IEEE P1282, 4.1). */
export function fileEntries(name: string): Buffer {
  return Buffer.concat([attributes(READABLE_FILE, 1), entry('NM', [0], Buffer.from(name, 'ascii')), times()]);
}

/** The entries of the root directory. `isFirst`: of its own record, which announces Rock Ridge. */
export function rootEntries(isFirst: boolean, continued: { sector: number; bytes: number }): Buffer {
  const own = [attributes(READABLE_DIRECTORY, 2), times()];
  if (!isFirst) return Buffer.concat(own);
  const place = Buffer.concat([both32(continued.sector), both32(0), both32(continued.bytes)]);
  return Buffer.concat([entry('SP', [0xbe, 0xef, 0]), ...own, entry('CE', [], place)]);
}

/** What the announcement says. It is too long for a record, and stands in a sector of its own. */
export function announcement(): Buffer {
  const id = 'RRIP_1991A';
  const text = 'THE ROCK RIDGE INTERCHANGE PROTOCOL PROVIDES SUPPORT FOR POSIX FILE SYSTEM SEMANTICS';
  const source =
    'PLEASE CONTACT DISC PUBLISHER FOR SPECIFICATION SOURCE.  SEE PUBLISHER IDENTIFIER IN PRIMARY VOLUME DESCRIPTOR FOR CONTACT INFORMATION.';
  return entry('ER', [id.length, text.length, source.length, 1], Buffer.from(id + text + source, 'ascii'));
}

function attributes(mode: number, links: number): Buffer {
  return entry('PX', [], Buffer.concat([both32(mode), both32(links), both32(0), both32(0)]));
}

/** Last changed and last read. */
function times(): Buffer {
  return entry('TF', [0b110], Buffer.concat([DATE, DATE]));
}

function entry(kind: string, head: number[], rest: Buffer = Buffer.alloc(0)): Buffer {
  const length = 4 + head.length + rest.length;
  return Buffer.concat([Buffer.from(kind, 'ascii'), Buffer.from([length, 1, ...head]), rest]);
}
