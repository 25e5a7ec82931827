import type { Row } from '../record/shape';
import type { Step } from './step';

export interface Request {
  method: string;
  /** Below /api2/json, with the query, percent-encoded. */
  path: string;
  headers: Record<string, string>;
  body?: string | Buffer;
}

type Sent = Pick<Step, 'method' | 'path' | 'params' | 'query' | 'encoding' | 'rawbody' | 'file'>;

/** The request of a step as it goes over the wire. */
export function encode(step: Sent): { path: string; body?: string | Buffer; contentType?: string } {
  const [plain = '', given = ''] = step.path.split('?');
  const quoted = encodeURIComponent(plain).replace(/%(2F|3A|40|21|2C|2B|3D|25|7E)/g, escaped =>
    decodeURIComponent(escaped),
  );
  const inQuery = ['GET', 'DELETE'].includes(step.method) || step.encoding === 'query';
  const asQuery = step.rawbody === undefined && !step.file && step.encoding !== 'json' && inQuery;
  const query = [given, form(step.query), asQuery ? form(step.params) : '']
    .filter(part => part !== '')
    .join('&');
  const path = query === '' ? quoted : `${quoted}?${query}`;
  if (step.file) return { path, ...multipart(step.params, step.file) };
  if (step.rawbody !== undefined) return { path, body: step.rawbody };
  if (step.encoding === 'json')
    return { path, body: JSON.stringify(step.params), contentType: 'application/json' };
  if (asQuery || !['POST', 'PUT'].includes(step.method)) return { path };
  return { path, body: form(step.params), contentType: 'application/x-www-form-urlencoded' };
}

export function form(params: Row): string {
  const encoded = new URLSearchParams();
  for (const [key, value] of Object.entries(params)) {
    for (const single of Array.isArray(value) ? value : [value]) encoded.append(key, String(single));
  }
  return encoded.toString();
}

function multipart(params: Row, file: NonNullable<Step['file']>): { body: Buffer; contentType: string } {
  const boundary = '----replayboundary7d1c9e';
  const fields = Object.entries(params).map(
    ([key, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${String(value)}\r\n`,
  );
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="filename"; filename="${file.name}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  const data =
    file.text === undefined ? Buffer.alloc(file.size ?? 0, file.fill ?? 0) : Buffer.from(file.text);
  const body = Buffer.concat([
    Buffer.from(fields.join('') + head),
    data,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return { body, contentType: `multipart/form-data; boundary=${boundary}` };
}
