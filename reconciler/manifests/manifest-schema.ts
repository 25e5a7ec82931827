import { isRecord, jsonSchemas } from '../../spec';
import { KINDS, type ManifestKind, type Role } from './read/kinds';
import { METADATA, WRITTEN_BY_KUBERNETES } from './read/manifest-head';
import type { FieldRow, Rows } from './read/rows';

type Schema = Readonly<Record<string, unknown>>;

/** The part of a desired state that a manifest becomes, whose fields keep their schemas. */
const BECOMES: Readonly<Record<Role, string | undefined>> = {
  machine: 'machine',
  clone: 'machine',
  cluster: 'cluster',
  provider: 'cluster',
  node: 'node',
  class: 'machine-class',
  image: 'prepared-image',
  policy: 'placement-policy',
  snapshot: 'snapshot',
  secret: undefined,
};

/** The JSON Schema of one manifest, or of a list of them, for editors: the kinds that are read and their fields. */
export function manifestSchema(): Schema {
  const parts = new Map(Object.entries(jsonSchemas()).map(([name, part]) => [name, renamed(name, part)]));
  const kinds = KINDS.map(kind => manifestOf(kind, parts.get(BECOMES[kind.role] ?? '') ?? {}));
  const definitions = [...new Set(Object.values(BECOMES))].flatMap(name => {
    const defs = parts.get(name ?? '')?.['$defs'];
    return isRecord(defs) ? Object.entries(defs) : [];
  });
  const list = {
    type: 'object',
    properties: {
      ...named('v1', 'List'),
      metadata: {},
      items: { type: 'array', items: { anyOf: kinds } },
    },
    required: ['apiVersion', 'kind', 'items'],
  };
  const $schema = 'https://json-schema.org/draft/2020-12/schema';
  return { $schema, anyOf: [...kinds, list], $defs: Object.fromEntries(definitions) };
}

/** With its definitions named for it: those of all parts come to stand together. */
function renamed(name: string, part: Schema): Schema {
  const text = JSON.stringify(part).replaceAll('"#/$defs/', `"#/$defs/${name}.`);
  const schema: unknown = JSON.parse(text);
  if (!isRecord(schema) || !isRecord(schema['$defs'])) return part;
  const defs = Object.entries(schema['$defs']).map(([key, value]) => [`${name}.${key}`, value]);
  return { ...schema, $defs: Object.fromEntries(defs) };
}

function manifestOf({ apiVersion, kind, rows, takes, top = ['spec'] }: ManifestKind, part: Schema): Schema {
  const name = { type: 'string', minLength: 1 };
  const written = Object.fromEntries([...METADATA, ...WRITTEN_BY_KUBERNETES].map(key => [key, {}]));
  const fields = Object.fromEntries(top.map(key => [key, {}]));
  if (top.includes('spec')) fields['spec'] = objectOf(rows, takes, part);
  return {
    type: 'object',
    properties: {
      ...named(apiVersion, kind),
      metadata: { ...closed({ ...written, name }), required: ['name'] },
      ...fields,
      status: {},
      $schema: {},
    },
    required: ['apiVersion', 'kind', 'metadata', ...(top.includes('spec') ? ['spec'] : [])],
    additionalProperties: false,
  };
}

const named = (apiVersion: string, kind: string): Schema => ({
  apiVersion: { const: apiVersion },
  kind: { const: kind },
});

const closed = (properties: Schema): Schema => ({ type: 'object', properties, additionalProperties: false });

function objectOf(rows: Rows, takes: readonly string[] = [], part: Schema): Schema {
  const taken = takes.map(key => [key, partAt(part, [key])] as const);
  const read = Object.entries(rows).flatMap(([key, row]) => {
    const field = fieldOf(row, part);
    return field === undefined ? [] : [[key, field] as const];
  });
  return closed(Object.fromEntries([...taken, ...read]));
}

/** Undefined: the field is refused. */
function fieldOf(row: FieldRow, part: Schema): Schema | undefined {
  if (row === 'read') return {};
  if ('not' in row) return undefined;
  if ('nothing' in row) return { description: row.nothing, ...(row.words && { enum: row.words }) };
  if ('within' in row) return objectOf(row.within, [], part);
  if ('words' in row) return { enum: Object.keys(row.words) };
  if ('each' in row)
    return { type: 'array', items: objectOf(row.each, row.takes, partAt(part, [row.to, '0'])) };
  return partAt(part, row.to.split('.'));
}

/** The schema of a field of a field; of one that is written in several ways nothing is said. */
function partAt(schema: Schema, [key, ...rest]: readonly string[]): Schema {
  if (key === undefined) return schema;
  const { items, properties } = schema;
  const inner = /^\d+$/.test(key) ? items : isRecord(properties) ? properties[key] : undefined;
  return isRecord(inner) ? partAt(inner, rest) : {};
}
