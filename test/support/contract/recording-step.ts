/** A step of a recording, as test/contract/recordings/FORMAT.md describes it. */
export interface Step {
  n: number;
  as?: string;
  method: string;
  path: string;
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  encoding?: 'json' | 'form' | 'query';
  rawbody?: string;
  headers?: Record<string, string>;
  no_csrf?: boolean;
  file?: { name: string; size?: number; fill?: number; text?: string };
  wait?: boolean;
  delay?: number;
  eventually?: number;
  capture?: Record<string, string | { path: string; re?: string }>;
  control?: { action: string; node: string };
  expect: { status: number; reason?: string; body?: unknown; text?: string; task?: Record<string, unknown> };
}

/** The request of a step as it goes over the wire. */
export function encode(step: Step): { path: string; body?: string | Buffer; contentType?: string } {
  const [plain = '', given] = step.path.split('?');
  const quoted = encodeURIComponent(plain).replace(/%(2F|3A|40|21|2C|2B|3D|25|7E)/g, escaped =>
    decodeURIComponent(escaped),
  );
  const params = step.params ?? {};
  const inQuery = ['GET', 'DELETE'].includes(step.method) || step.encoding === 'query';
  const asQuery = step.rawbody === undefined && !step.file && step.encoding !== 'json' && inQuery;
  const query = [given ?? '', form(step.query ?? {}), asQuery ? form(params) : '']
    .filter(part => part !== '')
    .join('&');
  const path = query === '' ? quoted : `${quoted}?${query}`;
  if (step.file) return { path, ...multipart(params, step.file) };
  if (step.rawbody !== undefined) return { path, body: step.rawbody };
  if (step.encoding === 'json')
    return { path, body: JSON.stringify(params), contentType: 'application/json' };
  if (asQuery || !['POST', 'PUT'].includes(step.method)) return { path };
  return { path, body: form(params), contentType: 'application/x-www-form-urlencoded' };
}

function form(params: Record<string, unknown>): string {
  const encoded = new URLSearchParams();
  for (const [key, value] of Object.entries(params)) {
    for (const single of Array.isArray(value) ? value : [value]) encoded.append(key, String(single));
  }
  return encoded.toString();
}

function multipart(params: Record<string, unknown>, file: NonNullable<Step['file']>) {
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

/** $.a.b[0].c and $.a[?key=value].b */
export function valueAt(document: unknown, path: string): unknown {
  let current = document as Record<string, unknown>;
  for (const [, name, index] of path.matchAll(/\.([A-Za-z0-9_-]+)|\[([^\]]+)\]/g)) {
    if (name !== undefined) current = current[name] as Record<string, unknown>;
    else if (index?.startsWith('?')) {
      const [key = '', wanted] = index.slice(1).split('=');
      const rows = current as unknown as Record<string, unknown>[];
      current = rows.find(row => String(row[key]) === wanted) as Record<string, unknown>;
    } else
      current = (current as unknown as Record<string, unknown>[])[Number(index)] as Record<string, unknown>;
  }
  return current;
}
