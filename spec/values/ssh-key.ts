import { refuse, text } from '../fields/wants';

const ALLOWED = 'a public SSH key on one line, such as "ssh-ed25519 AAAA…"';
// Options, which may hold words in quotes, the type, the key and a comment.
const LINE =
  /^[ \t]*(?!#)(?:(?:[^\s"]|"(?:\\"|\\(?!")|[^"\\\r\n])*")+[ \t]+)?([a-z][a-z0-9@.-]+)[ \t]+(AAAA[A-Za-z0-9+/]*={0,2})(?:[ \t][^\r\n]*)?$/;

/** A public key as a file of authorized keys holds it. Proxmox has ssh-keygen read each line, which refuses a comment line. */
export const SshKey = text(LINE, ALLOWED, mend).transform((line, ctx) => {
  const [, type = '', blob = ''] = LINE.exec(line) ?? [];
  if (blob !== '' && !isWhole(type, blob))
    return refuse(ctx, line, ALLOWED, 'Its key is cut short or changed: copy the whole line again.');
  return line;
});

/** A key is fields, its type and more, each behind its length in four bytes; those of a certificate are other ones. */
function isWhole(type: string, blob: string): boolean {
  const bytes = bytesOf(blob);
  if (bytes === undefined) return false;
  const fields: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const length = [0, 1, 2, 3].reduce((sum, n) => sum * 256 + bytes.charCodeAt(at + n), 0);
    fields.push(bytes.slice(at + 4, at + 4 + length));
    if (fields[0] !== type) return false;
    if (type.includes('-cert-')) return true;
    at += 4 + length;
    if (!(at <= bytes.length)) return false;
  }
  return fields.length > 1;
}

function bytesOf(blob: string): string | undefined {
  try {
    return atob(blob);
  } catch {
    return undefined;
  }
}

const FILE = /^(?:~|\.{1,2})?[/\\]|^[a-z]:[/\\]|\.pub$/i;
const READ =
  'It looks like the name of a file: read that, and give its line. In TypeScript: readFileSync(file, "utf8").trim(), in HCL: trimspace(file("…")).';

function mend(given: string): string | undefined {
  if (/PRIVATE KEY|PuTTY-User-Key-File/.test(given))
    return 'This is a private key: give the line of its .pub file.';
  if (/[\r\n]/.test(given)) return 'Give each line as an entry of its own, without its end.';
  if (given.trim().startsWith('#')) return 'This is a comment: remove it.';
  if (FILE.test(given)) return READ;
  return /^\s*AAAA/.test(given) ? 'Put its type in front, such as "ssh-ed25519".' : undefined;
}
