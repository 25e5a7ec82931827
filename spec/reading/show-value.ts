import type { Path } from './path';

const SECRET =
  /password|secret|token|credential|private|[a-z_-]key$|^(?:user|vendor|network|meta)data$|^args$/i;
const PLAIN = /version$|^sshkeys$/i;
const LONGEST = 60;

// What stands before an "@" or after a "?" of an address may be a password or a signature. An endpoint has no path.
function withoutAddressSecrets(text: string, path: Path): string {
  const isEndpoint = path.some(key => key === 'endpoint' || key === 'endpoints');
  return text
    .replace(/:\/\/[^@\s"]*@/g, '://(hidden)@')
    .replace(isEndpoint ? /(:\/\/[^\s"?#/]*[?#/])[^\s"]*/g : /(:\/\/[^\s"?#]*[?#])[^\s"]*/g, '$1(hidden)');
}

/** A value as JSON, shortened; hidden where the field may hold a secret, or the text has a password in an address. */
export function showValue(value: unknown, path: Path): string {
  const secret = path.some(key => SECRET.test(String(key)) && !PLAIN.test(String(key)));
  if (secret) return '(hidden)';
  // YAML has .inf and .nan, and both read 1e999 so: JSON would show null
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  const shown = JSON.stringify(value, (key, inner: unknown) =>
    SECRET.test(key) && !PLAIN.test(key) ? '(hidden)' : inner,
  );
  if (shown === undefined) return String(value);
  const safe = withoutAddressSecrets(shown, path).replace(/-----BEGIN [^]*/, '(hidden)"');
  return safe.length > LONGEST ? `${safe.slice(0, LONGEST - 1)}…` : safe;
}
