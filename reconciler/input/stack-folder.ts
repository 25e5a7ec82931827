import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { isRecord, unknownPaths } from '../../spec';
import { InputError } from '../errors';
import { readJson } from './read-json';
import { fileText } from './file-text';
import type { Surroundings } from './surroundings';

/** True for the folder of a synthesized stack. */
export function isFolder(place: string): boolean {
  return existsSync(place) && statSync(place).isDirectory();
}

/**
 * The desired states in the folder of a synthesized stack, one a cluster, as JSON that is not parsed yet, without what
 * only Terraform knows.
 */
export function statesOfStack(folder: string, around: Surroundings): { name: string; json: unknown }[] {
  return documentsOfStack(folder, around).map(({ name, json }) => ({ name, json: knownPart(json, around) }));
}

/** The same, whole: what only Terraform knows stands as `{"$unknown": "<expression>"}`. */
export function documentsOfStack(folder: string, around: Surroundings): { name: string; json: unknown }[] {
  const place = path.join(folder, 'proxmox');
  const files = isFolder(place) ? readdirSync(place).filter(name => name.endsWith('.json')) : [];
  if (files.length === 0) {
    throw new InputError(
      `${folder} is no folder of a synthesized stack with a ProxmoxCluster: it has no proxmox/<cluster>.json. Name the stack's own folder, such as cdktf.out/stacks/web.`,
    );
  }
  const workspace = workspaceOf(folder, around);
  return files.sort().map(file => {
    const name = path.join(place, file);
    const text = fileText(name).replaceAll('${terraform.workspace}', workspace);
    return { name, json: readJson(text, name) };
  });
}

// As Terraform finds it: the variable, then what `terraform workspace select` wrote.
function workspaceOf(folder: string, { environment }: Surroundings): string {
  const data = environment['TF_DATA_DIR'] || '.terraform';
  const chosen = path.resolve(folder, data, 'environment');
  return environment['TF_WORKSPACE'] || (existsSync(chosen) ? fileText(chosen).trim() : 'default');
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
  return { ...json, machines: known };
}
