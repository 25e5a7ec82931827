import { isRecord } from '../../../spec';

const ANYTHING = ['resource', 'data', 'module', 'locals'];
const OF_MACHINES = /\b(?:(?:user|vendor|network|meta)Data|args)\b/;

/** The files of a written stack in which a password or a key may stand. */
export function mayHoldSecrets(files: ReadonlyMap<string, string>): string[] {
  return [...files].flatMap(([name, text]) => {
    const may = name.endsWith('.json') ? inKept(JSON.parse(text)) : OF_MACHINES.test(text);
    return may ? [name] : [];
  });
}

function inKept(json: unknown): boolean {
  if (!isRecord(json)) return false;
  const { provider, terraform, variable } = json;
  const { backend, cloud } = isRecord(terraform) ? terraform : {};
  return (
    cloud !== undefined ||
    keysOf(backend).some(kind => kind !== 'local') ||
    bodiesOf(provider).some(body => keysOf(body).length > 0) ||
    bodiesOf(variable).some(body => isRecord(body) && body['default'] !== undefined) ||
    ANYTHING.some(block => block in json)
  );
}

const keysOf = (json: unknown): string[] => (isRecord(json) ? Object.keys(json) : []);
const bodiesOf = (json: unknown): unknown[] => (isRecord(json) ? Object.values(json).flat() : []);
