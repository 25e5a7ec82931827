import { isRecord } from '../../../spec';
import type { Json } from '../spec/said';

/** A block of Terraform: a list of one, or an object where the provider is newer. */
export function firstOf(value: unknown): Json | undefined {
  return Array.isArray(value) ? list(value)[0] : isRecord(value) ? value : undefined;
}

export function list(value: unknown): Json[] {
  if (isRecord(value)) return Object.values(value).filter(isRecord);
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** The names of Pulumi in those of Terraform: `nodeName` is `node_name`. It gives single blocks as objects. */
export function inSnakeCase(value: Json): Json {
  const named = (name: string): string => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
  const deep = (inner: unknown): unknown =>
    Array.isArray(inner) ? inner.map(deep) : isRecord(inner) ? inSnakeCase(inner) : inner;
  const entries = Object.entries(value).map(([name, inner]) => [PLURALS[name] ?? named(name), deep(inner)]);
  return Object.fromEntries(entries);
}

const PLURALS: Readonly<Record<string, string>> = { disks: 'disk', networkDevices: 'network_device' };
