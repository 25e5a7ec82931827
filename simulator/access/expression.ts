import { normalizeAclPath } from './acl-path';
import type { Sim } from '../cluster/sim';

/** Who asks, and with which parameters. */
export interface Asker {
  sim: Sim;
  user: string;
  params: Record<string, string>;
}

/** One test of the schema's permission expressions: its name, and what follows. */
export type Check = unknown[];

export function lists(values: unknown[]): unknown[][] {
  return values.filter(value => Array.isArray(value));
}

export function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** The options that follow in a flat list: `any`, 1. */
export function option(rest: unknown[], name: string): unknown {
  const index = rest.indexOf(name);
  return index < 0 ? undefined : rest[index + 1];
}

/** The path of a permission; empty, and so without any, when a parameter in it is no part of a path. */
export function fill(template: unknown, params: Record<string, string>): string {
  const path = String(template).replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
  return normalizeAclPath(path) ?? '';
}

/** What may stand in for Permissions.Modify, by the path that is opened. */
const OWNERS: [RegExp, string][] = [
  [/^\/storage\/.+/, 'Datastore.Allocate'],
  [/^\/vms\/.+/, 'VM.Allocate'],
  [/^\/pool\/.+/, 'Pool.Allocate'],
];

export function privilegesToModify(path: string): string[] {
  const owners = OWNERS.filter(([pattern]) => pattern.test(path)).map(([, privilege]) => privilege);
  return ['Permissions.Modify', ...owners];
}
