import { fieldsOf, kindOf, type FieldKind, type Schema } from './field-kinds';

const TYPES: Readonly<Record<Exclude<FieldKind, 'object' | 'objects'>, string>> = {
  list: 'list(string)',
  map: 'map(string)',
  values: 'map(any)',
  number: 'number',
  bool: 'bool',
  string: 'string',
  mixed: 'any',
  either: 'any',
};

/** The type of what a schema describes, in Terraform's words, each field with its description above it. */
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
  return `${description}${choice === undefined ? '' : ` Allowed: ${choice}.`}`.trim();
}

/** Lines of text as comments. */
export function commented(text: string): string {
  return text.replace(/^/gm, '# ');
}
