import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { isRecord } from '../../../spec';

/** A stack with its state named from another folder. */
export interface StackInPlace {
  json: unknown;
  /** Where Terraform will look for the state, and none is yet. */
  missing?: string;
}

/**
 * The stack with its state named from the new folder: a state in a file stays where it is, and its path is given from the
 * folder that Terraform is started in.
 */
export function stateIn(json: unknown, from: string, folder: string): StackInPlace {
  if (!isRecord(json)) return { json };
  const terraform = isRecord(json['terraform']) ? json['terraform'] : {};
  const { backend, cloud } = terraform;
  const kinds = isRecord(backend) ? Object.keys(backend) : [];
  const isLocal = cloud === undefined && (kinds.length === 0 || kinds.join() === 'local');
  if (!isLocal) return { json };
  const said = isRecord(backend) && isRecord(backend['local']) ? backend['local'] : {};
  const [source, target] = [realPlace(from), realPlace(folder)];
  const here = (place: string): string =>
    path.isAbsolute(place) ? place : path.relative(target, path.resolve(source, place));
  const state = textOf(said['path']) ?? 'terraform.tfstate';
  const workspaces = textOf(said['workspace_dir']) ?? 'terraform.tfstate.d';
  const isThere = (place: string): boolean => existsSync(path.resolve(source, place));
  const local = {
    ...said,
    path: here(state),
    ...(isThere(workspaces) && { workspace_dir: here(workspaces) }),
  };
  return {
    json: { ...json, terraform: { ...terraform, backend: { local } } },
    ...(!isThere(state) && !isThere(workspaces) && { missing: path.resolve(source, state) }),
  };
}

/** A place without links: "..", as Terraform walks it, leads out of the folder that a link means. */
function realPlace(place: string): string {
  const whole = path.resolve(place);
  if (existsSync(whole)) return realpathSync(whole);
  return path.join(realPlace(path.dirname(whole)), path.basename(whole));
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
