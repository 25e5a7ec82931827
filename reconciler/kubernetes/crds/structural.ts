import { isRecord } from '../../../spec';

type Schema = Readonly<Record<string, unknown>>;

/** The keys that mean the same in a schema of Kubernetes. */
const KEPT = ['description', 'enum', 'minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'];
/** Kubernetes takes no field without a type, unless it lets everything through. */
const ANYTHING = { 'x-kubernetes-preserve-unknown-fields': true };

/** Holds a schema that is one of Kubernetes already. */
export const OWN = 'x-own';

/**
 * A schema of ours as Kubernetes takes it: structural, without references. What it cannot say is left out, and is
 * refused when the document is read: it refuses nothing that is read here. Pure.
 */
export function structural(schema: Schema, definitions: Schema): Schema {
  const reference = schema['$ref'];
  if (typeof reference === 'string') {
    const named = definitions[reference.replace('#/$defs/', '')];
    // one that holds itself has no end
    return { ...ANYTHING, ...(isRecord(named) && said(named)) };
  }
  const { type, anyOf, [OWN]: own } = schema;
  if (isRecord(own)) return own;
  if (Array.isArray(anyOf)) return { ...said(schema), ...ofSeveral(anyOf) };
  if (type === 'object') return { type, ...kept(schema), ...fieldsOf(schema, definitions) };
  if (type === 'array') {
    const items = isRecord(schema['items']) ? structural(schema['items'], definitions) : ANYTHING;
    return { type, ...kept(schema), items };
  }
  if (typeof type === 'string') return { type, ...kept(schema), ...patternOf(schema) };
  if (Array.isArray(schema['enum'])) return { type: 'string', ...kept(schema) };
  return { ...ANYTHING, ...said(schema) };
}

function fieldsOf(schema: Schema, definitions: Schema): Schema {
  const { properties, additionalProperties, required } = schema;
  if (isRecord(properties)) {
    const fields = Object.entries(properties).map(([key, field]) => [
      key,
      isRecord(field) ? structural(field, definitions) : ANYTHING,
    ]);
    return { properties: Object.fromEntries(fields), ...(required !== undefined && { required }) };
  }
  if (isRecord(additionalProperties))
    return { additionalProperties: structural(additionalProperties, definitions) };
  return ANYTHING;
}

/** Kubernetes knows one choice of types. */
function ofSeveral(choices: readonly unknown[]): Schema {
  const types = choices.map(choice => (isRecord(choice) ? choice['type'] : undefined));
  const isIntOrString = types.every(type => type === 'integer' || type === 'string');
  return isIntOrString ? { 'x-kubernetes-int-or-string': true } : ANYTHING;
}

function said({ description }: Schema): Schema {
  return description === undefined ? {} : { description };
}

function kept(schema: Schema): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => KEPT.includes(key)));
}

/** Its expressions are those of Go, which look neither ahead nor back and repeat nothing more than a thousand times. */
function patternOf({ pattern }: Schema): Schema {
  if (typeof pattern !== 'string' || /\(\?[=!<]|\[\^\]|\\0|\\u|\{\d*,?\d{4,}\}/.test(pattern)) return {};
  return { pattern };
}
