import { CLOUD_INIT_DATA, isRecord, type DesiredState } from '../../../spec';
import { readYaml } from '../../input/read-yaml';
import { secretIn, secretInYaml } from './secret-in';

const FIELDS: ReadonlySet<string> = new Set(CLOUD_INIT_DATA);
/** What cloud-init reads as YAML, whatever its first line is. */
const YAML: ReadonlySet<string> = new Set(['metaData', 'networkData']);
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
      const found = await (YAML.has(field) && typeof data === 'string' ? secretInYaml(data) : secretIn(data));
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
