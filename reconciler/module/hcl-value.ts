import { fieldsOf, kindOf, type Schema } from './schema';

/** An expression that gives a typed value as it stands in a spec: without nulls, and its texts as what they mean. */
export function hclValue(schema: Schema, value: string, variable = 'x'): string {
  switch (kindOf(schema)) {
    case 'object': {
      const fields = changedFields(schema, value, variable).map(([name, text]) => `${name} = ${text}`);
      return withoutNulls(fields.length === 0 ? value : `merge(${value}, { ${fields.join(', ')} })`);
    }
    case 'objects': {
      return `[for ${variable} in ${value} : ${hclValue(schema.items ?? {}, variable, `${variable}x`)}]`;
    }
    // A number stays the text that it was written as: to Proxmox both are one.
    case 'values':
      return `{ for k, v in ${value} : k => try({ "true" = true, "false" = false }[v], v) if v != null }`;
    case 'mixed':
      return `try(jsondecode(${value}), ${value})`;
    case 'either':
      return takesMoreThanText(schema)
        ? `try(jsondecode(${value}), ${value})`
        : `try(merge(jsondecode(${value})), ${value})`;
    default:
      return value;
  }
}

/** The fields of an object whose value differs from what was typed, and the expression of each. */
export function changedFields(schema: Schema, value: string, variable = 'x'): [string, string][] {
  return fieldsOf(schema).flatMap(([name, field]): [string, string][] => {
    const given = `${value}.${name}`;
    const text = hclValue(field, given, variable);
    if (text === given) return [];
    const iterates = ['object', 'objects', 'values'].includes(kindOf(field));
    return [[name, iterates ? `${given} == null ? null : ${text}` : text]];
  });
}

/** An object without the fields that are null. */
export function withoutNulls(object: string): string {
  return `{ for k, v in ${object} : k => v if v != null }`;
}

// A name that happens to read as a number stays a name.
function takesMoreThanText({ anyOf = [] }: Schema): boolean {
  return anyOf.some(({ type }) => type === 'boolean');
}
