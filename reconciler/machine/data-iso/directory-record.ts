/** Sizes in ISO 9660 are counted in these. */
export const SECTOR = 2048;

/** One line of a directory. */
export interface DirectoryRecord {
  /** As bytes: the two records of a directory itself are named 0 and 1. */
  name: Buffer;
  sector: number;
  bytes: number;
  isDirectory: boolean;
  /** Rock Ridge entries behind the name. */
  entries?: Buffer;
}

/** A number in both byte orders, as ISO 9660 writes most of them. */
export function both32(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32LE(value, 0);
  bytes.writeUInt32BE(value, 4);
  return bytes;
}

export function both16(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt16LE(value, 0);
  bytes.writeUInt16BE(value, 2);
  return bytes;
}

// the same input gives the same bytes, so every date is this one
export const DATE = Buffer.from([100, 1, 1, 0, 0, 0, 0]);

const DIRECTORY = 2;

/** ECMA-119, 9.1. */
export function directoryRecord({ name, sector, bytes, isDirectory, entries }: DirectoryRecord): Buffer {
  const padding = Buffer.alloc(name.length % 2 === 0 ? 1 : 0);
  const record = Buffer.concat([
    Buffer.alloc(2),
    both32(sector),
    both32(bytes),
    DATE,
    Buffer.from([isDirectory ? DIRECTORY : 0, 0, 0]),
    both16(1),
    Buffer.from([name.length]),
    name,
    padding,
    entries ?? Buffer.alloc(0),
  ]);
  const whole = record.length % 2 === 0 ? record : Buffer.concat([record, Buffer.alloc(1)]);
  whole.writeUInt8(whole.length, 0);
  return whole;
}

/** Fills bytes up to whole sectors. */
export function inSectors(bytes: Buffer): Buffer {
  const rest = bytes.length % SECTOR;
  return rest === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(SECTOR - rest)]);
}
