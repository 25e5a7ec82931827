import type * as Yaml from 'yaml';
import { isRecord, userDataKind, type CloudInitTexts } from '../../../spec';

type Said = NonNullable<CloudInitTexts['userData']>;

/** A part of cloud-init data, as far as it can be read here. */
export type Part =
  | { config: Record<string, unknown> }
  /** A template, or what only cloud-init's own parser takes. */
  | { text: string }
  | { opaque: 'its script' | '#include' | 'an unreadable part' };

/** So deep may parts hold parts. */
const DEEPEST = 5;

/** The parts of user or vendor data, one by one: each may say the same keys again. */
export function partsOf(data: Said, depth = 0): Part[] {
  if (typeof data !== 'string') return [{ config: data }];
  if (depth > DEEPEST) return [{ opaque: 'an unreadable part' }];
  const text = data.replace(/\r/g, '');
  const type = userDataKind(text)?.type;
  if (type === 'text/cloud-config') return [configOf(text)];
  if (type === 'multipart/mixed') return partsOfMail(text, depth);
  if (type === 'text/cloud-config-archive') return partsOfArchive(text, depth);
  if (type === 'text/x-shellscript') return [{ opaque: 'its script' }];
  if (type === 'text/x-include-url' || type === 'text/x-include-once-url') return [{ opaque: '#include' }];
  return [type === undefined ? { opaque: 'an unreadable part' } : { text }];
}

function configOf(text: string): Part {
  const value = valueOf(text);
  if (value === null) return { config: {} };
  return isRecord(value) ? { config: value } : { text };
}

/** A list of texts, or of `{ type, content }` (cloud-init, user_data.py, _explode_archive). */
function partsOfArchive(text: string, depth: number): Part[] {
  const entries = valueOf(text);
  if (!Array.isArray(entries)) return [{ text }];
  return entries.flatMap((entry: unknown) => {
    const content = isRecord(entry) ? entry['content'] : entry;
    if (typeof content !== 'string') return [];
    const type = isRecord(entry) ? entry['type'] : undefined;
    return type === 'text/cloud-config' ? [configOf(content)] : partsOf(content, depth + 1);
  });
}

function partsOfMail(text: string, depth: number): Part[] {
  const { head } = halves(text);
  const boundary = /boundary="?([^"\n;]+)/i.exec(head)?.[1]?.trim();
  if (boundary === undefined) return [{ text }];
  const [, ...bodies] = `\n${text}`.split(`\n--${boundary}`);
  const isEnd = (body: string): boolean => body.startsWith('--');
  return bodies.filter(body => !isEnd(body)).flatMap(body => partOfMail(body.replace(/^.*\n/, ''), depth));
}

function partOfMail(part: string, depth: number): Part[] {
  const { head, body } = halves(part);
  const content = decoded(body, /^content-transfer-encoding:\s*(\S+)/im.exec(head)?.[1]?.toLowerCase());
  if (content === undefined) return [{ opaque: 'an unreadable part' }];
  const type = /^content-type:\s*([^\s;]+)/im.exec(head)?.[1]?.toLowerCase();
  if (type?.startsWith('multipart/') === true) return partsOf(part, depth + 1);
  if (type === 'text/cloud-config') return [configOf(content)];
  if (type === 'text/cloud-config-archive') return partsOfArchive(content, depth);
  if (type === 'text/x-shellscript') return [{ opaque: 'its script' }];
  if (type?.startsWith('text/x-include') === true) return [{ opaque: '#include' }];
  return TO_LOOK_AT.test(type ?? 'text/plain') ? partsOf(content, depth + 1) : [{ text: content }];
}

/** Types of parts that cloud-init tells by their first line (user_data.py, TYPE_NEEDED), and templates, which hold one. */
const TO_LOOK_AT = /^(?:text\/(?:plain|x-not-multipart|jinja2)|application\/octet-stream)$/;

/** What stands before the first empty line, and after it. */
function halves(text: string): { head: string; body: string } {
  const at = text.startsWith('\n') ? 0 : text.indexOf('\n\n') + 1;
  return { head: text.slice(0, at).replace(/\n[ \t]+/g, ' '), body: text.slice(at).replace(/^\n+/, '') };
}

/** Undefined: in an encoding that is not read here. */
function decoded(body: string, encoding = '7bit'): string | undefined {
  if (/^(?:7bit|8bit|binary)$/.test(encoding)) return body;
  if (encoding !== 'base64') return undefined;
  return Buffer.from(body, 'base64').toString('utf8').replace(/\r/g, '');
}

/** Undefined: it is none. YAML as PyYAML reads it: `yes` is true. */
function valueOf(text: string): unknown {
  try {
    return parser().parse(text, {
      version: '1.1',
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'silent',
    });
  } catch {
    return undefined;
  }
}

function parser(): typeof Yaml {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- few machines need it, and it takes long to load
  return require('yaml');
}
