import { fail } from '../../failure';
import { perlBoolean } from '../../perl-text';
import type { Sim } from '../../cluster/sim';
import type { Config, Guest } from '../../world';
import { needWritableConf } from './writable';
import { configProperty } from '../keys/schema';
import { dropReattached } from '../drives/detach';

/**
 * Changes a guest's configuration as one write of its file: all of the change becomes visible, or, when the change or
 * the write fails, nothing of it.
 */
export function writeConfig(sim: Sim, guest: Guest, change: (draft: Guest) => void): void {
  const draft = structuredClone(guest);
  change(draft);
  needWritableConf(sim, guest);
  draft.config = asStored(draft.config);
  draft.pending = asStored(draft.pending, true);
  dropReattached(draft);
  delete guest.cloudInitChanges;
  Object.assign(guest, draft);
}

/** Perl's idea of white space at the end of a text. */
const TRAILING_BLANKS = /[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$/;

const PLAIN_NUMBERS: Record<string, RegExp> = { integer: /^\d+$/, number: /^\d+(\.\d+)?$/ };

/** The values as the file gives them back. Fails for a value that breaks the line. */
function asStored(values: Config, pending = false): Config {
  const stored: Config = {};
  for (const [key, value] of Object.entries(values)) {
    if (key === 'description') {
      // PVE: "0" counts as none too; none is kept only while it waits to replace another
      if (pending || !['', '0'].includes(value)) stored[key] = value.replace(TRAILING_BLANKS, '');
      continue;
    }
    // PVE: the blank that an empty value reads back as is no percent-coded text, so its line counts for nothing
    if (key === 'sshkeys' && value.trim() === '') continue;
    stored[key] = storedValue(key, value);
  }
  return stored;
}

function storedValue(key: string, value: string): string {
  const { type = 'string', format } = configProperty(key) ?? {};
  const refuse = (reason: string): never => fail(`unable to parse value of '${key}' - ${reason}`);
  if (/[\n\r]/.test(value)) refuse('property contains a line feed');
  if (type === 'boolean') return perlBoolean(value);
  // PVE: the file takes plainer numbers than the parameter check
  if (PLAIN_NUMBERS[type]?.test(value) === false) refuse(`type check ('${type}') failed - got '${value}'`);
  if (type === 'integer') return String(Number(value));
  // PVE: plain texts lose a pair of quotes
  const plain = type === 'string' && format === undefined ? value.replace(/^"(.*)"$/, '$1') : value;
  // PVE: the line of an empty value reads back as one blank
  return plain.trim() === '' ? ' ' : plain.trim();
}
