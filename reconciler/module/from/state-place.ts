import { existsSync } from 'node:fs';
import path from 'node:path';

type Json = Readonly<Record<string, unknown>>;

/**
 * The stack with its state named from the new folder: a state in a file stays where it is, and its path is given from the
 * folder that Terraform is started in.
 */
export function stateIn(json: unknown, from: string, folder: string): unknown {
  if (!isObject(json)) return json;
  const terraform = isObject(json['terraform']) ? json['terraform'] : {};
  const { backend, cloud } = terraform;
  const kinds = isObject(backend) ? Object.keys(backend) : [];
  const isLocal = cloud === undefined && (kinds.length === 0 || kinds.join() === 'local');
  if (!isLocal) return json;
  const said = isObject(backend) && isObject(backend['local']) ? backend['local'] : {};
  const here = (place: string): string =>
    path.isAbsolute(place) ? place : path.relative(path.resolve(folder), path.resolve(from, place));
  const workspaces = textOf(said['workspace_dir']) ?? 'terraform.tfstate.d';
  const local = {
    ...said,
    path: here(textOf(said['path']) ?? 'terraform.tfstate'),
    ...(existsSync(path.resolve(from, workspaces)) && { workspace_dir: here(workspaces) }),
  };
  return { ...json, terraform: { ...terraform, backend: { local } } };
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
