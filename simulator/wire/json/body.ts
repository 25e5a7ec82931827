import type { RawParameters } from '../../schema/check';
import { Failure } from '../../failure';
import { JsonError } from './cursor';
import { readJson } from './decoder';

const WHERE = 'at /usr/share/perl5/PVE/APIServer/AnyEvent.pm line 934.';

/** Decodes a JSON body to parameters; a null stays: it is a parameter without a value. Fails as Proxmox does, in plain text. */
export function decodeJson(body: Buffer): RawParameters {
  const parsed = parse(body);
  // recording h0, step 14: Perl makes an empty hash of nothing
  if (parsed === null) return {};
  if (typeof parsed === 'string' || typeof parsed === 'number') failDereference(String(parsed));
  if (typeof parsed !== 'object' || Array.isArray(parsed)) plain('Not a HASH reference');
  return Object.fromEntries(Object.entries(parsed));
}

function plain(text: string): never {
  throw new Failure(500, `${text} ${WHERE}\n`);
}

/** Perl's words for text or a number in the place of a hash; it shows 32 characters. */
function failDereference(text: string): never {
  const shown = text.length > 32 ? `"${text.slice(0, 32)}"...` : `"${text}"`;
  plain(`Can't use string (${shown}) as a HASH ref while "strict refs" in use`);
}

function parse(body: Buffer): unknown {
  try {
    return readJson(body);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const rest = body.subarray(error.at);
    const before = rest.length === 0 ? '(end of string)' : shownText(rest);
    return plain(`${error.why}, at character offset ${error.at} (before "${before}")`);
  }
}

const MOST_SHOWN = 20;
const NAMED: Record<string, string> = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\f': '\\f',
  '\x07': '\\a',
  '\x1b': '\\e',
  '\\': '\\\\',
};

/** The rest of the body as Perl displays it: what is not ASCII as \x{…}, and no further than 20 characters. */
function shownText(rest: Buffer): string {
  let shown = '';
  for (const char of rest.toString('utf8')) {
    if (shown.length >= MOST_SHOWN) return `${shown}...`;
    const printable = char >= ' ' && char <= '~';
    shown += NAMED[char] ?? (printable ? char : `\\x{${(char.codePointAt(0) ?? 0).toString(16)}}`);
  }
  return shown;
}
