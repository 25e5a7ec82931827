import { fieldsOf, kindOf, type Kind, type Schema } from './schema';

type Expression = (value: string, schema: Schema, variable: string) => string;

const asItIs: Expression = value => value;

const EXPRESSIONS: Readonly<Record<Kind, Expression>> = {
  object: withoutNulls,
  objects: (value, { items = {} }, variable) =>
    `[for ${variable} in ${value} : ${withoutNulls(variable, items, `${variable}x`)}]`,
  // A number stays the text that it was written as: to Proxmox both are one.
  values: value =>
    `{ for k, v in ${value} : k => try({ "true" = true, "false" = false }[v], v) if v != null }`,
  mixed: value => `try(jsondecode(${value}), ${value})`,
  // A name that happens to read as a number stays a name.
  either: (value, schema) =>
    takesMoreThanText(schema)
      ? `try(jsondecode(${value}), ${value})`
      : `try(merge(jsondecode(${value})), ${value})`,
  list: asItIs,
  map: asItIs,
  number: asItIs,
  bool: asItIs,
  string: asItIs,
};

// These walk into what they are given, and null has nothing to walk into.
const WALKS: readonly Kind[] = ['object', 'objects', 'values'];

/** An expression that gives a typed object as it stands in a spec: without nulls, and its texts as what they mean. */
export function withoutNulls(value: string, schema: Schema, variable = 'x'): string {
  const fields = changedFields(schema, value, variable).map(([name, text]) => `${name} = ${text}`);
  const whole = fields.length === 0 ? value : `merge(${value}, { ${fields.join(', ')} })`;
  return `{ for k, v in ${whole} : k => v if v != null }`;
}

/** The fields of an object whose value differs from what was typed, and the expression of each. */
export function changedFields(schema: Schema, value: string, variable: string): [string, string][] {
  return fieldsOf(schema).flatMap(([name, field]): [string, string][] => {
    const given = `${value}.${name}`;
    const kind = kindOf(field);
    const text = EXPRESSIONS[kind](given, field, variable);
    if (text === given) return [];
    return [[name, WALKS.includes(kind) ? `${given} == null ? null : ${text}` : text]];
  });
}

function takesMoreThanText({ anyOf = [] }: Schema): boolean {
  return anyOf.some(({ type }) => type === 'boolean');
}
