import { stat } from 'node:fs/promises';
import path from 'node:path';
import { isRecord, unknownPaths } from '../../spec';
import { InputError } from '../errors';
import { answered } from '../config/answered';
import { readJson } from './read-json';
import { fileText, isFolder, namesIn } from './file-text';
import { insteadOf, type Reader } from './other-folders';
import type { Surroundings } from './surroundings';

interface StackDocument {
  name: string;
  json: unknown;
}

/**
 * The desired states in the folder of a synthesized stack, one a cluster, as JSON that is not parsed yet, without what
 * only Terraform knows.
 */
export async function statesOfStack(folder: string, around: Surroundings): Promise<StackDocument[]> {
  return (await documentsOfStack(folder, around)).map(({ name, json }) => ({
    name,
    json: knownPart(json, around),
  }));
}

/** The same, whole: what only Terraform knows stands as `{"$unknown": "<expression>"}`. */
export async function documentsOfStack(
  folder: string,
  around: Surroundings,
  reader: Reader = 'any verb',
): Promise<StackDocument[]> {
  const place = path.join(folder, 'proxmox');
  const files = (await isFolder(place)) ? (await namesIn(place)).filter(name => name.endsWith('.json')) : [];
  if (files.length === 0) {
    throw new InputError(
      `${folder} is no folder of a synthesized stack with a ProxmoxCluster: it has no proxmox/<cluster>.json. ${await insteadOf(folder, reader)}`,
    );
  }
  const workspace = await workspaceOf(folder, around);
  const documents: StackDocument[] = [];
  for (const file of files) {
    const name = path.join(place, file);
    const text = (await fileText(name)).replaceAll('${terraform.workspace}', workspace);
    documents.push({ name, json: readJson(text, name) });
  }
  return documents;
}

// As Terraform finds it: the variable, then what `terraform workspace select` wrote.
async function workspaceOf(folder: string, { environment }: Surroundings): Promise<string> {
  const data = environment['TF_DATA_DIR'] || '.terraform';
  const chosen = path.resolve(folder, data, 'environment');
  if (environment['TF_WORKSPACE']) return environment['TF_WORKSPACE'];
  const isThere = await answered(chosen, () =>
    stat(chosen).then(
      () => true,
      () => false,
    ),
  );
  return isThere ? (await fileText(chosen)).trim() : 'default';
}

/**
 * The state without what only Terraform knows. A field that holds such a value is not managed in this run: it is never
 * touched, and never a difference. A run that writes leaves such a machine out, and says which places it lacks.
 */
function knownPart(json: unknown, { reporter, leavesOutUnknown }: Surroundings): unknown {
  if (!isRecord(json) || !Array.isArray(json['machines'])) return json;
  const known = json['machines'].flatMap((machine: unknown) => {
    if (!isRecord(machine)) return [machine];
    const unknown = unknownPaths(machine);
    const fields = new Set(unknown.map(({ path: [field] }) => field));
    const kept = Object.fromEntries(Object.entries(machine).filter(([field]) => !fields.has(field)));
    if (unknown.length === 0 || leavesOutUnknown !== true) return [kept];
    const places = unknown.map(({ path: place }) => place.join('.')).join(', ');
    reporter.say(
      'warn',
      `${String(kept['id'])}: only Terraform knows ${places}: this run leaves the machine out`,
    );
    return [];
  });
  return { ...json, machines: known, ...knownExisting(json['existing'], reporter) };
}

/** A guest that only Terraform knows which it is cannot be read without Terraform. */
function knownExisting(existing: unknown, reporter: Surroundings['reporter']): { existing?: unknown[] } {
  if (!Array.isArray(existing)) return {};
  const known = existing.filter((guest: unknown) => {
    const [unknown] = unknownPaths(guest);
    if (unknown === undefined) return true;
    const id = isRecord(guest) ? String(guest['id']) : '';
    reporter.say('info', `existing ${id}: only Terraform knows ${unknown.path.join('.')}: it is not read`);
    return false;
  });
  return { existing: known };
}
