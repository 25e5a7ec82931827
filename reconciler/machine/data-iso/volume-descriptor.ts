import { both16, both32, SECTOR } from './directory-record';

/** What a volume descriptor tells: the one of ISO 9660 itself, or that of Joliet. */
export interface VolumeDescriptor {
  kind: 'primary' | 'joliet';
  label: string;
  sectors: number;
  /** Where the path table stands in little-endian order; the other one is behind it. */
  tablesAt: number;
  tableBytes: number;
  root: Buffer;
}

const TYPES = { primary: 1, joliet: 2 };
const TERMINATOR = 255;
// UCS-2, level 3
const JOLIET = '%/E';
const NO_DATE = Buffer.from(`${'0'.repeat(16)}\0`, 'latin1');
const FIXED_DATE = Buffer.from(`20000101${'0'.repeat(8)}\0`, 'latin1');

/** ECMA-119, 8.4 and 8.5. */
export function volumeDescriptor({ kind, label, sectors, root, ...table }: VolumeDescriptor): Buffer {
  const text = (value: string, bytes: number): Buffer =>
    kind === 'joliet' ? wide(value, bytes) : Buffer.from(value.padEnd(bytes), 'ascii');
  const descriptor = headed(TYPES[kind]);
  const put = (at: number, bytes: Buffer): number => bytes.copy(descriptor, at);
  put(8, text('', 32));
  put(40, text(label, 32));
  put(80, both32(sectors));
  if (kind === 'joliet') put(88, Buffer.from(JOLIET, 'ascii'));
  put(120, both16(1));
  put(124, both16(1));
  put(128, both16(SECTOR));
  put(132, both32(table.tableBytes));
  descriptor.writeUInt32LE(table.tablesAt, 140);
  descriptor.writeUInt32BE(table.tablesAt + 1, 148);
  put(156, root);
  for (const at of [190, 318, 446, 574]) put(at, text('', 128));
  for (const at of [702, 739, 776]) put(at, text('', 37));
  put(813, FIXED_DATE);
  put(830, FIXED_DATE);
  put(847, NO_DATE);
  put(864, NO_DATE);
  descriptor.writeUInt8(1, 881);
  return descriptor;
}

/** Ends the list of descriptors. */
export function terminator(): Buffer {
  return headed(TERMINATOR);
}

function headed(type: number): Buffer {
  const sector = Buffer.alloc(SECTOR);
  sector.writeUInt8(type, 0);
  sector.write('CD001\x01', 1, 'latin1');
  return sector;
}

/** Text in two bytes a character, high byte first; an odd last byte stays empty. */
export function wide(value: string, bytes = value.length * 2): Buffer {
  const text = Buffer.from(value.padEnd(Math.floor(bytes / 2)), 'utf16le').swap16();
  return Buffer.concat([text, Buffer.alloc(bytes - text.length)]);
}
