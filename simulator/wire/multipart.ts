import type { RawParameters } from '../schema/check';

/** The parts of an upload. */
export interface Upload {
  params: RawParameters;
  file: { filename: string; data: Buffer };
}

/** The fields that may stand before the file, in this order. */
const ORDER = ['content', 'checksum-algorithm', 'checksum'];

/** Takes a multipart body apart as Proxmox does; undefined where it gives up: a field out of order, or no file. */
export function decodeMultipart(body: Buffer, boundary: string): Upload | undefined {
  const params: RawParameters = {};
  let file: Upload['file'] | undefined;
  let place = 0;
  for (const part of partsOf(body, boundary)) {
    const end = part.indexOf('\r\n\r\n');
    if (end < 0) return undefined;
    const field = dispositionOf(part.toString('utf8', 0, end));
    if (!field) return undefined;
    const content = part.subarray(end + 4);
    if (field.filename === undefined || field.filename === '') {
      const at = ORDER.indexOf(field.name);
      if (file || at < place) return undefined;
      place = at + 1;
      params[field.name] = content.toString('utf8');
      continue;
    }
    if (field.name !== 'filename') return undefined;
    file = { filename: field.filename, data: content };
    params['filename'] = field.filename;
  }
  return file && { params, file };
}

function partsOf(body: Buffer, boundary: string): Buffer[] {
  const marker = Buffer.from(`--${boundary}`);
  const parts: Buffer[] = [];
  let start = body.indexOf(marker);
  while (start >= 0) {
    const content = start + marker.length;
    const next = body.indexOf(Buffer.concat([Buffer.from('\r\n'), marker]), content);
    if (next < 0) break;
    parts.push(body.subarray(content + 2, next));
    start = next + 2;
  }
  return parts;
}

function dispositionOf(head: string): { name: string; filename?: string } | undefined {
  const line = /^Content-Disposition\s*:\s*(.*)$/im.exec(head)?.[1] ?? '';
  const [disposition, ...options] = line.split(/\s*[;,]\s*/);
  const read = (key: string): string | undefined =>
    options
      .map(text => new RegExp(`^\\s*${key}\\s*=\\s*(.+?)\\s*$`).exec(text)?.[1])
      .find(value => value !== undefined)
      ?.replace(/^"(.*)"$/, '$1');
  const name = read('name');
  const filename = read('filename');
  if (disposition !== 'form-data' || name === undefined || name === '') return undefined;
  return filename === undefined ? { name } : { name, filename };
}
