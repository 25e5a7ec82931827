import { CLOUD_INIT_DATA, isRecord, type DesiredState } from '../../../spec';
import { readYaml } from '../../input/read-yaml';

/** Keys of a cloud-config whose values are passwords, or their hashes. */
const PASSWORDS = new Set(['password', 'passwd', 'plain_text_passwd', 'hashed_passwd']);
const FIELDS: ReadonlySet<string> = new Set(CLOUD_INIT_DATA);
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;
const READ = 'everybody who may read the database would read it';

/**
 * Where machines hold a secret in plain, as far as that can be seen: each a sentence with its remedy. Everywhere else a
 * spec only names where a secret is. What a script does with a text, nobody can see.
 */
export async function plainSecrets(states: readonly Pick<DesiredState, 'machines'>[]): Promise<string[]> {
  const says: string[] = [];
  for (const { id, cloudInit = {} } of states.flatMap(({ machines }) => machines))
    for (const [field, data] of Object.entries(cloudInit)) {
      if (!FIELDS.has(field) || (typeof data !== 'string' && !isRecord(data))) continue;
      const found = await secretIn(data);
      if (found !== undefined)
        says.push(
          `${id}: cloudInit.${field} holds ${found} in plain, and ${READ}. Give it by passwordFrom, or all of the data by ${field}From.`,
        );
    }
  return says;
}

/** The same for the Secrets among manifests. */
export async function plainManifests(text: string, name: string): Promise<string[]> {
  const { documents } = await readYaml(text, name);
  const all = documents.flatMap(({ json }) => [json, ...itemsOf(json)]);
  const secrets = all.filter(json => isRecord(json) && String(json['kind']).toLowerCase() === 'secret');
  if (secrets.length === 0) return [];
  return [
    `it holds a Secret, and ${READ}. Remove it, and give each host the folder where it is mounted: --secrets FOLDER.`,
  ];
}

function itemsOf(json: unknown): unknown[] {
  const items = isRecord(json) ? json['items'] : undefined;
  return Array.isArray(items) ? items : [];
}

async function secretIn(data: string | object): Promise<string | undefined> {
  if (PRIVATE_KEY.test(typeof data === 'string' ? data : JSON.stringify(data))) return 'a private key';
  if (typeof data !== 'string') return passwordIn(data);
  // a script is none, and what is broken is refused elsewhere
  if (!/^#cloud-config\s/.test(data)) return undefined;
  const { documents } = await readYaml(data, 'cloudInit');
  return documents.map(({ json }) => passwordIn(json)).find(found => found !== undefined);
}

function passwordIn(value: unknown): string | undefined {
  let level = [value];
  while (level.length > 0) {
    for (const each of level) {
      if (!isRecord(each)) continue;
      const key = Object.keys(each).find(name => PASSWORDS.has(name) && Boolean(each[name]));
      if (key !== undefined) return `a password (${key})`;
      const change = each['chpasswd'];
      if (isRecord(change) && Boolean(change['list'])) return 'passwords (chpasswd.list)';
    }
    level = level.flatMap(within);
  }
  return undefined;
}

function within(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
}
