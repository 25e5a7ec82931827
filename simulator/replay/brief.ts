import { isSecretField } from '../record/proxy/secret-fields';
import { rowOf } from '../record/shape';
import { shown } from '../record/shown';

/** A value of an answer for people: on one line, cut, and without what may be a secret. */
function brief(value: unknown): string {
  return shown(JSON.stringify(value, withoutSecrets) ?? 'nothing');
}

const HIDDEN = '(not shown)';
/** The secret of a token, which stands in a field that is called `value` as many are. */
const TOKEN_SECRET = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

function withoutSecrets(this: unknown, name: string, value: unknown): unknown {
  if (Array.isArray(this)) return value;
  return isSecret(name, value) || isSecretField(name, rowOf(this)) ? HIDDEN : value;
}

const isSecret = (name: string, value: unknown): boolean =>
  name === 'value' && typeof value === 'string' && TOKEN_SECRET.test(value);

/** The value that stands at a place of an answer, for people. */
export function briefAt(at: string, value: unknown): string {
  const name = /([\w-]+)(?:\[\d+\])*$/.exec(at)?.[1] ?? '';
  return isSecret(name, value) || isSecretField(name) ? HIDDEN : brief(value);
}
