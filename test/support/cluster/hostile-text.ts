import type { Told } from './altered-cluster';
import { withData } from './altered-cluster';

/** Text of somebody who means no good: it steers terminals and readers, and forges lines of ours. */
export const HOSTILE =
  '\u001b[31m\u0007\u0000\t\u007f\u0085\u009b2J\u202e\u2066\u200f\u061c\u2028\u2029\r\nweb: FORGED\nweb: FORGED\r';

/** What a text holds of it, and the lines that it forged; nothing where all of it is visible. */
export function strangeIn(text: string): string[] {
  const unseen = text.match(/[\0-\x09\x0b-\x1f\x7f-\x9f]|\p{Bidi_Control}|[\u2028\u2029]/gu) ?? [];
  const forged = text.split('\n').filter(line => /^\W*web: FORGED/.test(line));
  return [...unseen.map(sign => `U+${sign.charCodeAt(0).toString(16)}`), ...forged];
}

/** All texts in a value. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return [...Object.keys(value), ...Object.values(value).flatMap(inner => textsIn(inner))];
}

/** Where strangers write as they like; a name of a node or a storage comes back in what is asked for. */
const FREE =
  /^(?:node|storage|name|description|comment|pool|t|exitstatus|lock|version|release|hastate|parent|qmpstatus|volid)$/;
const CONFIGURED = /^(?:name|description|nameserver|searchdomain|ciuser|cpu|machine|ostype|hookscript)$/;

function hostile(value: unknown, isName = false): unknown {
  if (Array.isArray(value)) return value.map(inner => hostile(inner));
  if (typeof value === 'string') return isName ? value + HOSTILE : value;
  if (typeof value !== 'object' || value === null) return value;
  const row = value as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(row).map(([key, inner]) => {
      // the last line of a description is what proves a guest ours
      if (key === 'value' && row['key'] === 'description') return [key, `${HOSTILE}\n${String(inner)}`];
      if (key === 'tags') return [key, `${String(inner)};x\u202e\u001b`];
      const isConfigured = (key === 'value' || key === 'pending') && CONFIGURED.test(String(row['key']));
      return [key, hostile(inner, isConfigured || FREE.test(key))];
    }),
  );
}

const AGENT = {
  result: [
    {
      name: `eth0${HOSTILE}`,
      'hardware-address': HOSTILE,
      'ip-addresses': [HOSTILE, `10.0.0.1${HOSTILE}`, `fe81::1%${HOSTILE}`, '10.1.2.3'].map(address => ({
        'ip-address': address,
        'ip-address-type': 'ipv4',
        prefix: 24,
      })),
    },
  ],
};

/** The answer as somebody tells it who writes that text into every place that is free. */
export function hostilely({ path }: { path: string }, told: Told): Told {
  if (path.endsWith('/agent/network-get-interfaces')) {
    return { status: 200, reason: 'OK', text: JSON.stringify({ data: AGENT }) };
  }
  if (told.status === 200) return path === '/cluster/options' ? told : withData(told, data => hostile(data));
  const text = { data: null, message: `refused ${HOSTILE}`, errors: { [`cores${HOSTILE}`]: HOSTILE } };
  return { ...told, reason: 'refused', text: JSON.stringify(text) };
}

/** The names that the simulator knows, of what was asked with those. */
export function understood(asked: string): string {
  const inForm = new URLSearchParams({ '': HOSTILE }).toString().slice(1);
  return asked.replaceAll(encodeURIComponent(HOSTILE), '').replaceAll(inForm, '');
}
