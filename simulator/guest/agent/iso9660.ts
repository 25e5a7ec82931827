const SECTOR = 2048;
const FIRST_DESCRIPTOR = 16;
const PRIMARY = 1;
const JOLIET = 2;
const END = 255;

/** What an ISO 9660 image holds in its root directory: the volume's label, and the files by name. */
export interface IsoContent {
  label: string;
  files: Map<string, Buffer>;
}

/** Reads an ISO 9660 image, with the names of Joliet or Rock Ridge where it has them. Undefined when it is none. */
export function readIso(image: Buffer): IsoContent | undefined {
  let content: IsoContent | undefined;
  for (let sector = FIRST_DESCRIPTOR; (sector + 1) * SECTOR <= image.length; sector += 1) {
    const descriptor = image.subarray(sector * SECTOR, (sector + 1) * SECTOR);
    const type = descriptor.readUInt8(0);
    if (descriptor.toString('latin1', 1, 6) !== 'CD001' || type === END) break;
    const joliet = type === JOLIET && /^%\/[@CE]/.test(descriptor.toString('latin1', 88, 91));
    if (type !== PRIMARY && !joliet) continue;
    const files = rootFiles(image, descriptor, joliet);
    const label = content?.label ?? textOf(descriptor.subarray(40, 72), joliet).trim();
    content = { label, files: new Map([...(content?.files ?? []), ...files]) };
  }
  return content;
}

function textOf(bytes: Buffer, wide: boolean): string {
  return (wide ? wideText(bytes) : bytes.toString('latin1')).replace(/\0+$/, '');
}

function wideText(bytes: Buffer): string {
  // a cut image may end in half a character
  return Buffer.from(bytes.subarray(0, bytes.length & ~1))
    .swap16()
    .toString('utf16le');
}

function rootFiles(image: Buffer, descriptor: Buffer, joliet: boolean): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  const directory = extent(image, descriptor.subarray(156, 190));
  for (let at = 0; at < directory.length;) {
    const length = directory.readUInt8(at);
    if (length === 0) {
      // records do not cross sectors: the rest of this one is empty
      at = (Math.floor(at / SECTOR) + 1) * SECTOR;
      continue;
    }
    const record = directory.subarray(at, at + length);
    at += length;
    const isDirectory = record.length < 34 || (record.readUInt8(25) & 2) !== 0;
    if (!isDirectory) files.set(nameOf(record, joliet), extent(image, record));
  }
  return files;
}

function extent(image: Buffer, record: Buffer): Buffer {
  const start = record.readUInt32LE(2) * SECTOR;
  return image.subarray(start, start + record.readUInt32LE(10));
}

function nameOf(record: Buffer, joliet: boolean): string {
  const length = record.readUInt8(32);
  const plain = textOf(record.subarray(33, 33 + length), joliet);
  const name = joliet ? plain : (rockRidgeName(record.subarray(33 + length + ((length + 1) % 2))) ?? plain);
  return name.replace(/;\d+$/, '').replace(/\.$/, '').toLowerCase();
}

/** The name in the entries of type NM, which follow the record. */
function rockRidgeName(entries: Buffer): string | undefined {
  let name = '';
  for (let at = 0; at + 4 <= entries.length;) {
    const length = entries.readUInt8(at + 2);
    if (length < 4) break;
    if (entries.toString('latin1', at, at + 2) === 'NM')
      name += entries.toString('latin1', at + 5, at + length);
    at += length;
  }
  return name === '' ? undefined : name;
}
