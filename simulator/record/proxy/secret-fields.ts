import type { Row } from '../shape';

/** Fields, of requests and of answers, whose value nobody may see. */
const SECRET_FIELDS =
  /passw|passphrase|secret|keyring|private|^otp$|^totp$|tfa|ticket|csrf|encryption-key|^sshkeys$|^keys$|^token$|^client-key$|^eab-|^webauthn/i;

/** Fields of free text that may hold one, by what is asked for. */
const FREE_FIELDS: [RegExp, RegExp][] = [
  [/^/, /^(target-endpoint|http_proxy|args|env|entrypoint)$/],
  [/^\/cluster\/acme(\/|$)/, /^data$/],
  [/^\/cluster\/notifications(\/|$)/, /^(header|url|body)$/],
  [/^\/storage(\/|$)/, /^options$/],
  [/\/agent(\/|$)/, /^(command|content|input-data)$/],
  [/\/monitor$/, /^command$/],
  [/^\/access\/openid(\/|$)/, /^(code|state|redirect-url)$/],
];

/** In a row of a configuration, as `{key: 'cores', value: 2}`, it is a name. */
const OF_CONFIGURATION = ['value', 'pending', 'delete'];

export type SecretFields = (name: string, row: Row) => boolean;

export function isSecretField(name: string, row: Row = {}): boolean {
  if (name === 'key') return !OF_CONFIGURATION.some(each => Object.hasOwn(row, each));
  return SECRET_FIELDS.test(name);
}

export function isFreeField(path: string, name: string): boolean {
  return FREE_FIELDS.some(([where, what]) => what.test(name) && where.test(path));
}

/** Which fields are hidden in what is sent to a path and in what comes from there. */
export function secretFieldsOf(path: string): SecretFields {
  return (name, row) => isSecretField(name, row) || isFreeField(path, name);
}

/** Whether a row such as `{key: 'sshkeys', value: …}` tells a secret. */
export function isSecretRow(row: Row, isSecret: SecretFields): boolean {
  return typeof row['key'] === 'string' && row['key'] !== 'key' && isSecret(row['key'], row);
}
