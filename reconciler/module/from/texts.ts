import { isRecord } from '../../../spec';
import type { Kept } from './kept';
import { codeIn } from './template';

/** What becomes of the texts of a thing that is kept. */
interface Change {
  /** A text that Terraform takes as a template. */
  template: (text: string) => string;
  /** The addresses that a thing waits for. */
  waits: (all: readonly unknown[]) => unknown[];
  /** An address that stands there without `${…}`. */
  address: (text: string) => string;
}

type TextKind = 'literal' | 'waits' | 'address' | 'lifecycle' | 'data';
const fields = (kinds: Readonly<Record<string, TextKind>>): ReadonlyMap<string, TextKind> =>
  new Map(Object.entries(kinds));

/** The fields of each kind of block that are no templates. */
const FIELDS: ReadonlyMap<string, ReadonlyMap<string, TextKind>> = new Map([
  ['resource', fields({ depends_on: 'waits', lifecycle: 'lifecycle' })],
  ['data', fields({ depends_on: 'waits', lifecycle: 'lifecycle' })],
  ['module', fields({ depends_on: 'waits' })],
  ['output', fields({ depends_on: 'waits', description: 'literal' })],
  ['check', fields({ data: 'data' })],
  ['variable', fields({ default: 'literal', description: 'literal', type: 'literal' })],
  ['lifecycle', fields({ replace_triggered_by: 'address', ignore_changes: 'literal' })],
  ['import', fields({ to: 'address' })],
  ['removed', fields({ from: 'address' })],
]);

/** A thing that is kept, with its texts changed where Terraform evaluates them. */
export function changed({ path: [block = ''], json }: Kept, change: Change): unknown {
  if (block === 'terraform') return json;
  return inBlock(block, json, { change, depth: block === 'variable' ? 1 : 0 });
}

/** All code in a thing that is kept: what it may name. */
export function codeOfKept(kept: Kept): string {
  const code: string[] = [];
  const add = (text: string): string => {
    code.push(text);
    return text;
  };
  changed(kept, {
    template: text => {
      code.push(codeOf(text));
      return text;
    },
    waits: all => all.map(one => (typeof one === 'string' ? add(one) : one)),
    address: add,
  });
  return code.join('\n');
}

/** What Terraform evaluates in a template; all else is blank. */
export function codeOf(template: string): string {
  const code = codeIn(template);
  return template.replace(/[^]/g, (sign, at: number) => (code.has(at) ? sign : ' '));
}

function inBlock(
  block: string,
  json: unknown,
  { change, depth }: { change: Change; depth: number },
): unknown {
  if (Array.isArray(json)) return json.map(each => inBlock(block, each, { change, depth }));
  if (!isRecord(json)) return inside(json, change.template);
  const kinds = FIELDS.get(block);
  const entries = Object.entries(json).map(([key, value]): [string, unknown] => [
    key,
    depth > 0 ? inBlock(block, value, { change, depth: depth - 1 }) : inField(kinds?.get(key), value, change),
  ]);
  return Object.fromEntries(entries);
}

function inField(kind: TextKind | undefined, value: unknown, change: Change): unknown {
  switch (kind) {
    case undefined:
      return inside(value, change.template);
    case 'literal':
      return value;
    case 'waits':
      return Array.isArray(value) ? change.waits(value) : value;
    case 'address':
      return inside(value, change.address);
    case 'lifecycle':
      return inBlock(kind, value, { change, depth: 0 });
    case 'data':
      return inBlock(kind, value, { change, depth: 2 });
  }
}

/** A value with its texts changed. The keys of an object are texts, too. */
function inside(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map(each => inside(each, change));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [change(key), inside(each, change)]));
}
