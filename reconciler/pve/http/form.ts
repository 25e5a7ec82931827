import { createHash } from 'node:crypto';
import { pveText } from '../keys/property-string';

/** What a request may carry: undefined is left out, booleans become 1 and 0, lists become repeated keys. */
export type PveParams = Record<string, string | number | boolean | string[] | undefined>;

/** Encodes parameters for a query or a form. Every value is escaped whole: Proxmox cuts at a bare `;` or second `=`. */
export function encodeForm(params: PveParams): string {
  const form = new URLSearchParams();
  for (const [key, value] of Object.entries(params)) {
    if (value === undefined) continue;
    for (const single of Array.isArray(value) ? value : [value]) form.append(key, pveText(single));
  }
  return form.toString();
}

/**
 * A form with a file. Proxmox reads the parameters in the order content, checksum-algorithm, checksum and then the file,
 * and answers any other order with an empty 400 (behaviour.md §14.12). The file's name must be plain.
 */
export function multipartForm(
  params: PveParams,
  { name, content }: { name: string; content: Buffer },
): { headers: Record<string, string>; body: Buffer } {
  const boundary = `pvr-${createHash('sha256').update(content).digest('hex').slice(0, 32)}`;
  const fields = Object.entries(params).flatMap(([key, value]) =>
    value === undefined || Array.isArray(value)
      ? []
      : [`--${boundary}\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${pveText(value)}\r\n`],
  );
  const disposition = `Content-Disposition: form-data; name="filename"; filename="${name}"`;
  const head = `${fields.join('')}--${boundary}\r\n${disposition}\r\nContent-Type: application/octet-stream\r\n\r\n`;
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}
