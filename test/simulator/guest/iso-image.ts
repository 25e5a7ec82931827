const SECTOR = 2048;
const ROOT = 20;

export type IsoNames = 'plain' | 'rock-ridge' | 'joliet';

/** A small ISO 9660 image with these files in its root, named in one of the three ways. */
export function isoImage(label: string, files: Record<string, string>, names: IsoNames): Buffer {
  const contents = Object.entries(files).map(([name, text], index) => ({
    name,
    data: Buffer.from(text),
    sector: ROOT + 2 + index,
  }));
  const image = Buffer.alloc((ROOT + 2 + contents.length) * SECTOR);
  descriptor(image, 16, 1, label, ROOT, false);
  const joliet = names === 'joliet';
  if (joliet) descriptor(image, 17, 2, label, ROOT + 1, true);
  image.writeUInt8(255, (joliet ? 18 : 17) * SECTOR);
  image.write('CD001', (joliet ? 18 : 17) * SECTOR + 1, 'latin1');
  directory(image, ROOT, contents, names === 'rock-ridge' ? 'rock-ridge' : 'plain');
  if (joliet) directory(image, ROOT + 1, contents, 'joliet');
  for (const { data, sector } of contents) data.copy(image, sector * SECTOR);
  return image;
}

function wide(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16();
}

function descriptor(
  image: Buffer,
  sector: number,
  type: number,
  label: string,
  root: number,
  joliet: boolean,
): void {
  const at = sector * SECTOR;
  image.writeUInt8(type, at);
  image.write('CD001', at + 1, 'latin1');
  const name = joliet ? wide(label.padEnd(16)) : Buffer.from(label.padEnd(32), 'latin1');
  name.copy(image, at + 40);
  if (joliet) image.write('%/E', at + 88, 'latin1');
  record(Buffer.from([0]), root, SECTOR, 2).copy(image, at + 156);
}

function directory(
  image: Buffer,
  sector: number,
  files: { name: string; data: Buffer; sector: number }[],
  names: IsoNames,
): void {
  let at = sector * SECTOR;
  const add = (entry: Buffer): void => {
    entry.copy(image, at);
    at += entry.length;
  };
  add(record(Buffer.from([0]), sector, SECTOR, 2));
  add(record(Buffer.from([1]), sector, SECTOR, 2));
  for (const { name, data, sector: start } of files) {
    const short = Buffer.from(`${name.toUpperCase()};1`, 'latin1');
    if (names === 'joliet') add(record(wide(name), start, data.length, 0));
    else if (names === 'plain') add(record(short, start, data.length, 0));
    else add(record(Buffer.from('FILE.;1', 'latin1'), start, data.length, 0, nameEntry(name)));
  }
}

function nameEntry(name: string): Buffer {
  return Buffer.concat([Buffer.from('NM'), Buffer.from([5 + name.length, 1, 0]), Buffer.from(name)]);
}

function record(
  name: Buffer,
  sector: number,
  size: number,
  flags: number,
  system: Buffer = Buffer.alloc(0),
): Buffer {
  const named = 33 + name.length + ((name.length + 1) % 2);
  const length = named + system.length + ((named + system.length) % 2);
  const bytes = Buffer.alloc(length);
  bytes.writeUInt8(length, 0);
  bytes.writeUInt32LE(sector, 2);
  bytes.writeUInt32BE(sector, 6);
  bytes.writeUInt32LE(size, 10);
  bytes.writeUInt32BE(size, 14);
  bytes.writeUInt8(flags, 25);
  bytes.writeUInt8(name.length, 32);
  name.copy(bytes, 33);
  system.copy(bytes, named);
  return bytes;
}
