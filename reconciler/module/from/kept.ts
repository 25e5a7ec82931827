import { isRecord } from '../../../spec';
import type { Json, StackJson } from './stack-shapes';

/** One thing of a stack that is not ours: it is kept word for word. */
export interface Kept {
  /** Where it stands in the JSON. */
  path: readonly string[];
  /** Its address in Terraform, where others can name it. */
  address: string | undefined;
  json: unknown;
}

const ADDRESS: Readonly<Record<string, (names: readonly string[]) => string>> = {
  resource: ([type, name]) => `${type ?? ''}.${name ?? ''}`,
  data: ([type, name]) => `data.${type ?? ''}.${name ?? ''}`,
  locals: ([name]) => `local.${name ?? ''}`,
  module: ([name]) => `module.${name ?? ''}`,
  check: ([name]) => `check.${name ?? ''}`,
  output: ([name]) => `output.${name ?? ''}`,
};
const DEPTH: Readonly<Record<string, number>> = { resource: 2, data: 2 };

/** All that is in a stack besides what becomes calls of the module, and the moves. */
export function keptOf(stack: StackJson, own: ReadonlySet<string>): Kept[] {
  return Object.entries(stack)
    .filter(([block, json]) => block !== 'moved' && !isEmpty(json))
    .flatMap(([block, json]): Kept[] => {
      const address = ADDRESS[block];
      if (address === undefined) return [{ path: [block], address: undefined, json }];
      return entriesAt(json, DEPTH[block] ?? 1).map(({ names, json: each }) => ({
        path: [block, ...names],
        address: address(names),
        json: each,
      }));
    })
    .filter(({ address }) => address === undefined || !own.has(address));
}

/** The JSON of what is kept. */
export function keptJson(kept: readonly Kept[]): Json {
  const whole: Record<string, unknown> = {};
  for (const { path, json } of kept) put(whole, path, json);
  return whole;
}

function put(into: Record<string, unknown>, [name = '', ...rest]: readonly string[], json: unknown): void {
  if (rest.length === 0) {
    into[name] = json;
    return;
  }
  const there = into[name];
  const inner: Record<string, unknown> = isRecord(there) ? there : {};
  into[name] = inner;
  put(inner, rest, json);
}

function entriesAt(json: unknown, depth: number): { names: string[]; json: unknown }[] {
  if (depth === 0 || !isRecord(json)) return [{ names: [], json }];
  return Object.entries(json).flatMap(([name, value]) =>
    entriesAt(value, depth - 1).map(({ names, json: each }) => ({ names: [name, ...names], json: each })),
  );
}

function isEmpty(json: unknown): boolean {
  return typeof json === 'object' && json !== null && Object.keys(json).length === 0;
}
