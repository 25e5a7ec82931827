import { existsSync } from 'node:fs';
import path from 'node:path';
import { isRecord } from '../../../spec';

/**
 * The stack with its state named from the new folder: a state in a file stays where it is, and its path is given from the
 * folder that Terraform is started in.
 */
export function stateIn(json: unknown, from: string, folder: string): unknown {
  if (!isRecord(json)) return json;
  const terraform = isRecord(json['terraform']) ? json['terraform'] : {};
  const { backend, cloud } = terraform;
  const kinds = isRecord(backend) ? Object.keys(backend) : [];
  const isLocal = cloud === undefined && (kinds.length === 0 || kinds.join() === 'local');
  if (!isLocal) return json;
  const said = isRecord(backend) && isRecord(backend['local']) ? backend['local'] : {};
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
