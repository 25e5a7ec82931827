// The reference of fields, as Markdown, from the JSON Schemas: docs/model.md.

/** @typedef {{description?: string, default?: unknown, defaultKind?: string, type?: string | string[], enum?: unknown[],
 *   const?: unknown, minimum?: number, maximum?: number, properties?: Record<string, Schema>, items?: Schema,
 *   anyOf?: Schema[], required?: string[], additionalProperties?: boolean | Schema, $comment?: string}} Schema */

const PARTS = [
  ['The desired state', 'desired-state'],
  ['Cluster', 'cluster'],
  ['Node', 'node'],
  ['Machine', 'machine'],
  ['Snapshot', 'snapshot', 'Not there yet: a desired state with snapshots is refused.'],
  ['Machine class', 'machine-class'],
  ['Placement policy', 'placement-policy', 'Not there yet: nothing reads it.'],
  ['Prepared image', 'prepared-image', 'Not there yet: nothing reads it.'],
  ['Outputs of a machine', 'machine-outputs'],
  ['Status of a cluster', 'cluster-status'],
];
/** What has a part of its own, and is not repeated where it is used. */
const ELSEWHERE = {
  'desired-state': ['cluster', 'nodes[]', 'machines[]', 'snapshots[]'],
  cluster: ['defaults'],
};

/** Defaults that the schema alone does not tell. */
const DEFAULTS = new Map([
  ['strategy', 'the template\'s node while it fits there, else `"spread"` (always)'],
]);

const INTRODUCTION = `# Fields

Written by \`npm run schema\` from \`spec/\`: change the schema, not this page.

- A field that is absent is not managed: it is never touched and never a drift. \`null\` is absent.
- A default of **birth** is used only when the guest is created; a default that holds **always** is about behaviour.
- Sizes are bytes, or text with \`K\`, \`M\`, \`G\`, \`T\` (also \`Ki\`, \`Mi\`, \`Gi\`, \`Ti\`): all are powers of 1024.
- Durations are text: \`500ms\`, \`30s\`, \`5m\`, \`1h\`.
- To remove a value from a guest name its field in \`clear\`: \`description\`, \`cpu.limit\`, \`networks[lan].vlan\`.
- The order of disks and of networks never matters to a machine that exists; a new one takes its slots in that order.
`;

/** @param {Record<string, Schema>} schemas */
export function fieldReference(schemas) {
  const parts = PARTS.map(([title = '', name = '', note = '']) => {
    const elsewhere = new Map(Object.entries(ELSEWHERE)).get(name) ?? [];
    return `## ${title}\n\n${note === '' ? '' : `${note}\n\n`}${tables(schemas[name] ?? {}, '', elsewhere).join('\n')}`;
  });
  return `${INTRODUCTION}\n${parts.join('\n')}`;
}

/** @param {Schema} schema @param {string} at @param {string[]} elsewhere @returns {string[]} */
function tables(schema, at, elsewhere) {
  const fields = Object.entries(schema.properties ?? {});
  const rows = fields.map(([name, field]) => row(name, field, schema.required?.includes(name) === true));
  const heading = at === '' ? [] : [`### \`${at}\`\n`];
  const table = ['| field | what | allowed | default |', '|---|---|---|---|', ...rows, ''].join('\n');
  const inner = fields.flatMap(([name, field]) =>
    shapes(field)
      .map(({ shape, suffix }) => ({ shape, key: `${at === '' ? '' : `${at}.`}${name}${suffix}` }))
      .filter(({ key }) => !elsewhere.includes(key))
      .flatMap(({ shape, key }) => tables(shape, key, elsewhere)),
  );
  return [...heading, table, ...inner];
}

/** The objects within a field: itself, an entry of its list, or one of its alternatives.
 * @param {Schema} field @returns {{shape: Schema, suffix: string}[]} */
function shapes(field) {
  if (field.properties !== undefined) return [{ shape: field, suffix: '' }];
  if (field.items !== undefined) {
    return shapes(field.items).map(({ shape, suffix }) => ({ shape, suffix: `[]${suffix}` }));
  }
  if (typeof field.additionalProperties === 'object') {
    return shapes(field.additionalProperties).map(({ shape }) => ({ shape, suffix: '.*' }));
  }
  return (field.anyOf ?? []).flatMap(shapes);
}

/** @param {string} name @param {Schema} field @param {boolean} required */
function row(name, field, required) {
  const kind = field.defaultKind === 'birth' ? ' (birth)' : ' (always)';
  const value = field.default === undefined ? '' : `\`${JSON.stringify(field.default)}\`${kind}`;
  const cells = [
    `\`${name}\`${required ? ' (required)' : ''}`,
    field.description ?? '',
    allowed(field),
    DEFAULTS.get(name) ?? value,
  ];
  return `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** @param {Schema} field @returns {string} */
function allowed(field) {
  if (field.$comment !== undefined) return field.$comment;
  if (field.enum !== undefined) return field.enum.map(value => `\`${value}\``).join(', ');
  if (field.const !== undefined) return `\`${JSON.stringify(field.const)}\``;
  if (field.anyOf !== undefined) return field.anyOf.map(allowed).join('; or ');
  if (field.items !== undefined) return `list: ${allowed(field.items)}`;
  if (field.properties !== undefined) return 'an object, below';
  if (typeof field.additionalProperties === 'object')
    return `names to: ${allowed(field.additionalProperties)}`;
  if (field.type === 'boolean') return '`true`, `false`';
  return { string: 'text', number: 'a number', integer: 'a whole number' }[String(field.type)] ?? 'anything';
}
