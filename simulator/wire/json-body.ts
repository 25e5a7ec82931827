import type { RawParameters } from '../schema/check';
import { Failure } from '../failure';

const WHERE = 'at /usr/share/perl5/PVE/APIServer/AnyEvent.pm line 934.';

/** Decodes a JSON body to parameters; null is an absent one. Fails as Proxmox's decoder does, in plain text. */
export function decodeJson(text: string): RawParameters {
  const parsed = parse(text);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new Failure(500, `Not a HASH reference ${WHERE}\n`);
  return Object.fromEntries(Object.entries(parsed).filter(([, value]) => value !== null));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure(500, `malformed JSON string, ${complaint(text)} ${WHERE}\n`);
  }
}

/** The decoder's words for what it met. Only the empty body is recorded; the rest is assumed. */
function complaint(text: string): string {
  const start = text.search(/\S/);
  const found = start < 0 ? '(end of string)' : text.slice(start, start + 20);
  return `neither tag, array, object, number, string or atom, at character offset ${Math.max(start, 0)} (before "${found}")`;
}
