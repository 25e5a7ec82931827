import { isRecord, userDataKind } from '../../../spec';
import { readYaml } from '../../input/read-yaml';

/** Keys of a cloud-config whose values are passwords, or their hashes. */
const PASSWORDS = ['password', 'passwd', 'plain_text_passwd', 'hashed_passwd'];
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;
/** No login, or one that cloud-init makes up in the guest. */
const NO_PASSWORD = /^(?:[!*]+|R|RANDOM)$/;
const JINJA = /^## template: ?jinja.*\n/i;
/** The same as text, where a template is no YAML yet. */
const IN_TEXT = new RegExp(`^[\\s-]*["']?(${PASSWORDS.join('|')})["']?\\s*:[ \\t]*["']?([^\\s"']+)`, 'gm');

/** What of the data of cloud-init is a secret in plain, in words that follow "holds"; undefined: nothing that can be seen. */
export async function secretIn(data: string | object): Promise<string | undefined> {
  if (PRIVATE_KEY.test(typeof data === 'string' ? data : JSON.stringify(data))) return 'a private key';
  if (typeof data !== 'string') return passwordIn(data);
  const kind = userDataKind(data)?.type;
  if (kind === 'text/jinja2') return (await secretIn(data.replace(JINJA, ''))) ?? inText(data);
  if (kind === 'multipart/mixed') return 'several parts (MIME), in which a secret is not seen,';
  // a script is none, and what is broken is refused elsewhere
  if (kind?.startsWith('text/cloud-config') !== true) return undefined;
  const { documents } = await readYaml(data, 'cloudInit');
  for (const { json } of documents) {
    const found = passwordIn(json) ?? (await inParts(kind, json));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Of data that is YAML without a first line that says so. */
export async function secretInYaml(text: string): Promise<string | undefined> {
  return secretIn(`#cloud-config\n${text}`);
}

/** An archive is a list of texts; a patch names the key in a path. */
async function inParts(kind: string, json: unknown): Promise<string | undefined> {
  if (!Array.isArray(json)) return undefined;
  const parts: unknown[] = json;
  for (const part of parts) {
    const content = isRecord(part) ? part['content'] : part;
    if (kind === 'text/cloud-config-archive' && typeof content === 'string') {
      const found = await secretIn(content);
      if (found !== undefined) return found;
    }
    if (kind !== 'text/cloud-config-jsonp' || !isRecord(part)) continue;
    const key = String(part['path']).split('/').at(-1) ?? '';
    const found = passwordIn({ [key]: part['value'] }) ?? passwordIn({ chpasswd: { [key]: part['value'] } });
    if (found !== undefined) return found;
  }
  return undefined;
}

function inText(text: string): string | undefined {
  const found = [...text.matchAll(IN_TEXT)].find(([, , value = '']) => isPassword(value));
  return found && `a password (${found[1]})`;
}

function passwordIn(value: unknown): string | undefined {
  let level = [value];
  while (level.length > 0) {
    for (const each of level) {
      if (!isRecord(each)) continue;
      const key = PASSWORDS.find(name => isPassword(each[name]));
      if (key !== undefined) return `a password (${key})`;
      const change = each['chpasswd'];
      if (isRecord(change) && pairsOf(change['list']).some(isPassword)) return 'passwords (chpasswd.list)';
    }
    level = level.flatMap(within);
  }
  return undefined;
}

function isPassword(value: unknown): boolean {
  // what stands in a list or a mapping is looked at by itself
  if (typeof value === 'object') return false;
  return Boolean(value) && !NO_PASSWORD.test(String(value).trim());
}

/** The passwords of `user:password`, as lines or as a list. */
function pairsOf(list: unknown): string[] {
  const lines = Array.isArray(list) ? list.map(String) : typeof list === 'string' ? list.split('\n') : [];
  return lines.filter(line => line.includes(':')).map(line => line.slice(line.indexOf(':') + 1));
}

function within(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
}
