/** Writes the few pieces of DER that a certificate needs. */

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const digits = length.toString(16);
  const bytes = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes]);
}

/** A value under its tag. */
export function tagged(tag: number, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag]), lengthOf(body.length), body]);
}

export const sequence = (...content: Buffer[]): Buffer => tagged(0x30, ...content);
export const set = (...content: Buffer[]): Buffer => tagged(0x31, ...content);
export const octetString = (content: Buffer): Buffer => tagged(0x04, content);
export const utf8String = (text: string): Buffer => tagged(0x0c, Buffer.from(text));
export const bitString = (content: Buffer, unused = 0): Buffer =>
  tagged(0x03, Buffer.from([unused]), content);
export const TRUE = tagged(0x01, Buffer.from([0xff]));

/** A non-negative integer, from its bytes. */
export function integer(bytes: Buffer): Buffer {
  const needsZero = (bytes[0] ?? 0) >= 0x80;
  return needsZero ? tagged(0x02, Buffer.from([0]), bytes) : tagged(0x02, bytes);
}

/** An object identifier from its dotted form. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const arc of rest) {
    const groups = [arc & 0x7f];
    for (let left = arc >> 7; left > 0; left >>= 7) groups.unshift((left & 0x7f) | 0x80);
    bytes.push(...groups);
  }
  return tagged(0x06, Buffer.from(bytes));
}

/** A time between 1950 and 2049. */
export function utcTime(time: Date): Buffer {
  const text = time.toISOString().replace(/[-:T]/g, '').slice(2, 14);
  return tagged(0x17, Buffer.from(`${text}Z`));
}
