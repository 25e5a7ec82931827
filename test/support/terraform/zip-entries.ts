import { inflateRawSync } from 'node:zlib';

/** The files inside a zip archive, one after the other, as one text of bytes. A binary plan is such an archive. */
export function zipEntries(zip: Buffer): string {
  const end = zip.lastIndexOf('PK\x05\x06');
  const count = zip.readUInt16LE(end + 10);
  const texts: string[] = [];
  for (let place = zip.readUInt32LE(end + 16), entry = 0; entry < count; entry += 1) {
    const [method, size] = [zip.readUInt16LE(place + 10), zip.readUInt32LE(place + 20)];
    const header = zip.readUInt32LE(place + 42);
    const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
    const bytes = zip.subarray(start, start + size);
    texts.push((method === 0 ? bytes : inflateRawSync(bytes)).toString('latin1'));
    place += 46 + zip.readUInt16LE(place + 28) + zip.readUInt16LE(place + 30) + zip.readUInt16LE(place + 32);
  }
  return texts.join('\n');
}
