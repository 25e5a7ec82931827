import type { Variables } from './cluster-variables';
import type { Credentials } from '../pve';

const TOKEN_ID = /^[^\s:\/!=]+@[A-Za-z][A-Za-z0-9._-]*![A-Za-z][A-Za-z0-9._-]*$/;
const USERNAME = /^[^\s:/]+@[A-Za-z][A-Za-z0-9._-]*$/;

/** Token, or user and password. Faults name variables, never what is in them. */
export function credentialsOf(variables: Variables): Credentials | undefined {
  const { prefix, nameOf, isGiven, faults } = variables;
  if (isGiven('TOKEN_ID') || isGiven('TOKEN_SECRET')) {
    const beside = (['USERNAME', 'PASSWORD', 'TOTP_SECRET'] as const).filter(isGiven);
    if (beside.length > 0) {
      const names = beside.map(nameOf).join(', ');
      faults.push(
        `a token and ${names} are both set: keep the token, or user and password, and unset the others.`,
      );
    }
    return token(variables);
  }
  if (isGiven('USERNAME') || isGiven('PASSWORD')) return login(variables);
  faults.push(
    `neither credentials given: set ${prefix}TOKEN_ID and ${prefix}TOKEN_SECRET, or ${prefix}USERNAME and ` +
      `${prefix}PASSWORD (or the same with _FILE). A manifest or a resource names a Secret: credentials or credentialSecretRef.`,
  );
  return undefined;
}

function token({ prefix, nameOf, isGiven, values, faults }: Variables): Credentials | undefined {
  const { TOKEN_ID: id, TOKEN_SECRET: secret } = values;
  if (!isGiven('TOKEN_ID')) faults.push(`${prefix}TOKEN_ID is missing beside ${nameOf('TOKEN_SECRET')}.`);
  if (!isGiven('TOKEN_SECRET')) faults.push(`${prefix}TOKEN_SECRET is missing beside ${nameOf('TOKEN_ID')}.`);
  if (id?.includes('=')) {
    faults.push(`${nameOf('TOKEN_ID')} holds a "=": what follows it belongs into ${prefix}TOKEN_SECRET.`);
  } else if (id !== undefined && !TOKEN_ID.test(id)) {
    faults.push(`${nameOf('TOKEN_ID')} has not the form user@realm!name, such as ops@pve!daemon.`);
  }
  if (secret !== undefined && !isHeaderText(secret)) {
    faults.push(
      `${nameOf('TOKEN_SECRET')} holds a space, a control character or a letter like é: a token's secret has none.`,
    );
  }
  return id === undefined || secret === undefined ? undefined : { kind: 'token', id, secret };
}

function login({ prefix, nameOf, isGiven, values, faults }: Variables): Credentials | undefined {
  const { USERNAME: username, PASSWORD: password, TOTP_SECRET: totpSecret } = values;
  if (!isGiven('USERNAME')) faults.push(`${prefix}USERNAME is missing beside ${nameOf('PASSWORD')}.`);
  if (!isGiven('PASSWORD')) faults.push(`${prefix}PASSWORD is missing beside ${nameOf('USERNAME')}.`);
  if (username !== undefined && !USERNAME.test(username)) {
    faults.push(`${nameOf('USERNAME')} has not the form user@realm, such as root@pam.`);
  }
  if (totpSecret !== undefined && !/^[A-Za-z2-7\s-]+=*$/.test(totpSecret)) {
    faults.push(`${nameOf('TOTP_SECRET')} is no base32 text.`);
  }
  if (username === undefined || password === undefined) return undefined;
  return { kind: 'password', username, password, ...(totpSecret === undefined ? {} : { totpSecret }) };
}

function isHeaderText(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}
