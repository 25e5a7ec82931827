/** The part of JSON Schema that our documents use. */
export interface Schema {
  readonly type?: unknown;
  readonly description?: string;
  readonly $comment?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
}

/**
 * What a value may be, in Terraform's words. It has no type for `either`, a plain value or an object, for `mixed` plain
 * values, nor for `values`, a map of them.
 */
export type FieldKind =
  'object' | 'objects' | 'list' | 'map' | 'values' | 'number' | 'bool' | 'string' | 'mixed' | 'either';

const SCALARS: Readonly<Record<string, FieldKind>> = {
  integer: 'number',
  number: 'number',
  boolean: 'bool',
  string: 'string',
};

/** The kind of value that a schema describes. */
export function kindOf(schema: Schema): FieldKind {
  if (schema.properties !== undefined) return 'object';
  if (schema.items !== undefined) return schema.items.properties === undefined ? 'list' : 'objects';
  if (typeof schema.additionalProperties === 'object') {
    return typesOf(schema.additionalProperties).length > 1 ? 'values' : 'map';
  }
  const types = typesOf(schema);
  const [only] = types;
  if (types.length === 1 && only !== undefined) return SCALARS[only] ?? 'string';
  // A field that takes any object takes its text too: cloud-init data.
  if (types.includes('object')) return hasFields(schema) ? 'either' : 'string';
  // A size takes digits as text; where text is one fixed word it does not.
  return types.includes('boolean') || schema.anyOf !== undefined ? 'mixed' : 'string';
}

/** The fields of an object that Terraform is to give: a name and its schema each. */
export function fieldsOf(schema: Schema): [string, Schema][] {
  return Object.entries(schema.properties ?? {});
}

function typesOf({ type, anyOf = [] }: Schema): string[] {
  const own = Array.isArray(type) ? type : [type];
  const types = [...own, ...anyOf.flatMap(typesOf)];
  return [...new Set(types.filter(name => typeof name === 'string'))];
}

function hasFields({ properties, anyOf = [] }: Schema): boolean {
  return properties !== undefined || anyOf.some(hasFields);
}
