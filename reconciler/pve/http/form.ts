import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pveText } from '../keys/property-string';

/** What a request may carry: undefined is left out, booleans become 1 and 0, lists become repeated keys. */
export type PveParams = Record<string, string | number | boolean | string[] | undefined>;

/**
 * A form with a file. Proxmox reads the parameters in the order content, checksum-algorithm, checksum and then the file,
 * and answers any other order with an empty 400 (behaviour.md §14.12). The file's name must be plain.
 */
export function multipartForm(
  params: PveParams,
  file: FileToSend,
): { headers: Record<string, string>; body: Buffer | StreamedBody } {
  const { name } = file;
  const boundary = `pvr-${createHash('sha256')
    .update('content' in file ? file.content : name)
    .digest('hex')
    .slice(0, 32)}`;
  const fields = Object.entries(params).flatMap(([key, value]) =>
    value === undefined || Array.isArray(value)
      ? []
      : [`--${boundary}\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${pveText(value)}\r\n`],
  );
  const disposition = `Content-Disposition: form-data; name="filename"; filename="${name}"`;
  const head = `${fields.join('')}--${boundary}\r\n${disposition}\r\nContent-Type: application/octet-stream\r\n\r\n`;
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  const tail = `\r\n--${boundary}--\r\n`;
  if ('content' in file) {
    return { headers, body: Buffer.concat([Buffer.from(head), file.content, Buffer.from(tail)]) };
  }
  // PVE refuses a body whose length it is not told (501)
  const length = Buffer.byteLength(head) + file.bytes + Buffer.byteLength(tail);
  return {
    headers: { ...headers, 'content-length': String(length) },
    body: { open: signal => partsOf(file, { head, tail }, signal) },
  };
}

/** A file that goes along with a request: its bytes, or where it is read while it is sent. */
export type FileToSend = { name: string; content: Buffer } | FileOnDisk;

interface FileOnDisk {
  name: string;
  path: string;
  bytes: number;
  /** Told how much of it was sent. */
  sent: (bytes: number) => void;
}

/** A body that is made anew for each time that it is sent. */
export interface StreamedBody {
  /** After an interrupt it ends too early, so that Proxmox does nothing. */
  open: (signal?: AbortSignal) => AsyncIterable<Buffer>;
}

async function* partsOf(
  { path, bytes, sent }: FileOnDisk,
  { head, tail }: { head: string; tail: string },
  signal: AbortSignal | undefined,
): AsyncIterable<Buffer> {
  yield Buffer.from(head);
  let done = 0;
  const parts: AsyncIterable<Buffer> = createReadStream(path, { end: bytes - 1, highWaterMark: 1 << 18 });
  for await (const part of parts) {
    signal?.throwIfAborted();
    yield part;
    done += part.length;
    sent(done);
  }
  yield Buffer.from(tail);
}
