import path from 'node:path';
import { isRecord } from '../../../spec';
import { InputError } from '../../errors';
import { fileText } from '../../input/file-text';
import { readYaml } from '../../input/read-yaml';
import { readText, type KubernetesAccess } from './way';

type Json = Readonly<Record<string, unknown>>;

const CLUSTER_FIELDS = ['server', 'certificate-authority', 'certificate-authority-data', 'extensions'];
const USER_FIELDS = [
  ...['token', 'tokenFile', 'client-certificate', 'client-certificate-data'],
  ...['client-key', 'client-key-data', 'extensions'],
];

/** Reads a kubeconfig: its current context, with a token or a certificate. Any other way to say who asks is refused. */
export async function accessOfKubeconfig(file: string): Promise<KubernetesAccess> {
  const { json, context } = await contextOf(file);
  const cluster = entry(json, 'clusters', context['cluster'], 'cluster', file);
  const user = entry(json, 'users', context['user'], 'user', file);
  refuseOthers(cluster, CLUSTER_FIELDS, `${file}: cluster ${String(context['cluster'])}`);
  refuseOthers(user, USER_FIELDS, `${file}: user ${String(context['user'])}`);
  const read = (from: Json, field: string): string | undefined => dataOf(from, field, path.dirname(file));
  const cert = read(user, 'client-certificate');
  const token = tokenOf(user, path.dirname(file));
  if (cert === undefined && token() === undefined)
    throw new InputError(
      `${file}: user ${String(context['user'])} has neither token nor client-certificate.`,
    );
  return {
    server: serverOf(cluster['server'], file),
    ca: read(cluster, 'certificate-authority'),
    cert,
    key: read(user, 'client-key'),
    token,
  };
}

/** The namespace of the current context. */
export async function namespaceOfKubeconfig(file: string): Promise<string> {
  const { namespace } = (await contextOf(file)).context;
  return typeof namespace === 'string' && namespace !== '' ? namespace : 'default';
}

async function contextOf(file: string): Promise<{ json: Json; context: Json }> {
  if (file.includes(path.delimiter))
    throw new InputError(`KUBECONFIG: ${file} names several files. Name one, with all that is needed.`);
  const { documents, faults } = await readYaml(await fileText(file), file);
  if (faults.length > 0) throw new InputError(faults.join('\n'));
  const [json] = documents.map(document => document.json);
  if (!isRecord(json) || documents.length !== 1)
    throw new InputError(`${file} is no kubeconfig: give one document of kind Config.`);
  return { json, context: entry(json, 'contexts', json['current-context'], 'context', file) };
}

function entry(json: Json, list: string, name: unknown, field: string, file: string): Json {
  const entries = json[list];
  const all = Array.isArray(entries) ? entries.filter(isRecord) : [];
  const found = all.find(each => each['name'] === name)?.[field];
  if (isRecord(found)) return found;
  const names = all.map(each => String(each['name'])).join(', ') || 'none';
  throw new InputError(`${file}: ${list} has no ${JSON.stringify(name)}; there are: ${names}.`);
}

/** What is not read is not left out in silence: it may be what keeps others away. */
function refuseOthers(given: Json, known: readonly string[], where: string): void {
  const others = Object.keys(given).filter(key => !known.includes(key));
  if (others.length > 0)
    throw new InputError(`${where}: ${others.join(', ')} is not read here; allowed: ${known.join(', ')}.`);
}

function dataOf(from: Json, field: string, folder: string): string | undefined {
  const data = from[`${field}-data`];
  if (typeof data === 'string') return Buffer.from(data, 'base64').toString('utf8');
  const file = from[field];
  return typeof file === 'string' ? readText(path.resolve(folder, file)) : undefined;
}

function tokenOf({ token, tokenFile }: Json, folder: string): KubernetesAccess['token'] {
  if (typeof tokenFile === 'string') return () => readText(path.resolve(folder, tokenFile)).trim();
  return () => (typeof token === 'string' ? token : undefined);
}

/** Without TLS only to this very machine, as `kubectl proxy` listens: a token must not be read on the way. */
function serverOf(given: unknown, file: string): string {
  const url = typeof given === 'string' && URL.canParse(given) ? new URL(given) : undefined;
  const isNear = url?.hostname === '127.0.0.1' || url?.hostname === 'localhost' || url?.hostname === '[::1]';
  const isFit = url?.protocol === 'https:' || (url?.protocol === 'http:' && isNear);
  if (url === undefined || !isFit || url.pathname !== '/')
    throw new InputError(
      `${file}: server ${JSON.stringify(given)} is not valid; allowed: https://host:port, without a path.`,
    );
  return url.origin;
}
