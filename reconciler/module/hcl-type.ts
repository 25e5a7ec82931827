import { fieldsOf, kindOf, type Kind, type Schema } from './schema';

const TYPES: Readonly<Record<Exclude<Kind, 'object' | 'objects'>, string>> = {
  list: 'list(string)',
  map: 'map(string)',
  values: 'map(string)',
  number: 'number',
  bool: 'bool',
  string: 'string',
  mixed: 'string',
  either: 'string',
};

/** The Terraform type of what a schema describes, each field with its description above it, as `fmt` writes it. */
export function hclType(schema: Schema, indent: string, without: readonly string[] = []): string {
  const kind = kindOf(schema);
  if (kind === 'object') return `object({\n${fieldLines(schema, `${indent}  `, without)}${indent}})`;
  return kind === 'objects' ? `list(${hclType(schema.items ?? {}, indent)})` : TYPES[kind];
}

function fieldLines(schema: Schema, indent: string, without: readonly string[]): string {
  return fieldsOf(schema)
    .filter(([name]) => !without.includes(name))
    .map(([name, field]) => {
      const type = hclType(field, indent);
      const given = schema.required?.includes(name) === true ? type : `optional(${type})`;
      return `${indent}# ${told(field)}\n${indent}${name} = ${given}\n`;
    })
    .join('');
}

function told(field: Schema): string {
  const { description = '', $comment: allowed } = field;
  const choice = field.enum?.map(String).join(', ') ?? allowed;
  const form = kindOf(field) === 'either' ? ' An object as text: jsonencode({…}).' : '';
  return `${description}${choice === undefined ? '' : ` Allowed: ${choice}.`}${form}`.trim();
}
