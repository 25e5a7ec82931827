/** What is read here of a JSON Schema. */
interface Schema extends Partial<Record<'description' | 'defaultKind' | 'type' | '$comment', string>> {
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  additionalProperties?: boolean | Schema;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
}

const PARTS = [
  ['The desired state', 'desired-state'],
  ['Cluster', 'cluster'],
  ['Node', 'node'],
  ['Machine', 'machine'],
  [
    'Snapshot',
    'snapshot',
    'Taken once the machine is as wanted, where there is none of this name. It is deleted with its construct, or by `snapshot delete`.',
  ],
  ['Machine class', 'machine-class'],
  [
    'Placement policy',
    'placement-policy',
    'The `placement` of many machines, said once: the construct PlacementPolicy, or a manifest. A desired state has no such part; there each machine has its `placement`.',
  ],
  [
    'Prepared image',
    'prepared-image',
    'One template, or one on each of its nodes, is built of it before machines are cloned from it with `image.machine`. The name of a template tells its content: an image that changes is another template, and the former one stays while it has clones.',
  ],
  [
    'Existing guest',
    'existing',
    "A guest that stays somebody else's, or several by a tag: `existing` of a desired state, the constructs ExistingMachine and ExistingMachines, `existing` of the module. It is read at each plan, and nothing is ever written to it.",
  ],
  ['Outputs of a machine', 'machine-outputs'],
  ['Outputs of an existing guest', 'existing-outputs'],
  ['Status of a cluster', 'cluster-status'],
] as const;
/** What has a part of its own, and is not repeated where it is used. */
const ELSEWHERE =
  /^(desired-state:(cluster|(nodes|machines|snapshots|images|existing)\[\])|cluster:defaults)$/;
const WORDS = { string: 'text', number: 'a number', integer: 'a whole number', boolean: '`true`, `false`' };
const words = new Map(Object.entries(WORDS));

/** The parts of the reference of fields, as Markdown. */
export function modelPage(schemaOf: (name: string) => Schema): string {
  const parts = PARTS.map(([title, name, note]) =>
    [`## ${title}\n`, ...(note ? [`${note}\n`] : []), ...tables(schemaOf(name), `${name}:`)].join('\n'),
  );
  return parts.join('\n');
}

/** The table of an object's fields, and those of the objects within. `place`: the document and the field, as `node:a.b`. */
function tables(schema: Schema, place: string): string[] {
  const fields = Object.entries(schema.properties ?? {});
  const [, at] = place.split(':');
  const rows = fields.map(([name, field]) => row(name, field, schema.required?.includes(name) === true));
  const inner = fields
    .flatMap(([name, field]) => objectsIn(field, `${place}${at === '' ? '' : '.'}${name}`))
    .filter(([key]) => !ELSEWHERE.test(key));
  return [
    ...(at === '' ? [] : [`### \`${at}\`\n`]),
    ['| field | what | allowed | default |', '|---|---|---|---|', ...rows, ''].join('\n'),
    ...inner.flatMap(([key, shape]) => tables(shape, key)),
  ];
}

/** The objects within a field, each with its place: itself, an entry of its list or its map, or one of its alternatives. */
function objectsIn(field: Schema, place: string): [string, Schema][] {
  if (field.properties) return [[place, field]];
  if (field.items) return objectsIn(field.items, `${place}[]`);
  if (typeof field.additionalProperties === 'object')
    return objectsIn(field.additionalProperties, `${place}.*`);
  return (field.anyOf ?? []).flatMap(one => objectsIn(one, place));
}

function row(name: string, field: Schema, isRequired: boolean): string {
  const kind = field.defaultKind === 'create' ? 'create' : 'always';
  const value = field.default === undefined ? '' : `\`${JSON.stringify(field.default)}\` (${kind})`;
  const title = `\`${name}\`${isRequired ? ' (required)' : ''}`;
  // What looks like a tag would not be shown.
  const cells = [title, (field.description ?? '').replaceAll('<', '\\<'), allowed(field), value];
  return `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function allowed(field: Schema): string {
  if (field.$comment !== undefined) return field.$comment;
  if (field.enum) return field.enum.map(value => `\`${value}\``).join(', ');
  if (field.const !== undefined) return `\`${JSON.stringify(field.const)}\``;
  if (field.anyOf) return field.anyOf.map(allowed).join('; or ');
  if (field.items) return `list: ${allowed(field.items)}`;
  if (field.properties) return 'an object, below';
  if (typeof field.additionalProperties === 'object')
    return `names to: ${allowed(field.additionalProperties)}`;
  return words.get(field.type ?? '') ?? 'anything';
}
