import { Column, type Block } from '../alike/blocks';
import type { Program } from '../program';
import { sharedBy, withShared, type Shared } from '../share-values';
import { quoted } from './quoted';
import { remarkedBlocks } from './remarks';
import { sayable } from './sayable';
import { keyOf, SPREAD, typescriptValue } from './typescript-value';

/** A program for the constructs: one stack, the sizes that several machines have as classes. */
export function typescriptOf(program: Program): string {
  const said = sayable(program);
  const blocks = remarkedBlocks('//', said.machines);
  const shared = sharedBy(blocks);
  const names = ownNames(blocks);
  const classes = shared.classes.length === 0 ? [] : ['MachineClass'];
  const types = names.size === 0 ? [] : ['type MachineProps'];
  return [
    `import { App, TerraformStack } from 'cdktf';`,
    `import { ${['Machine', ...classes, ...types, 'ProxmoxCluster'].join(', ')} } from 'cdktf-proxmox';`,
    '',
    ...stackLines(said, shared),
    ...spaced(classLines(shared)),
    ...blocks.flatMap(block => [...blockLines(block, shared, '', names.get(block)), '']),
    'app.synth();',
    '',
  ].join('\n');
}

/** The stack and its cluster. */
export function stackLines({ owner, cluster }: Program, shared: Shared): string[] {
  const { name, ...fields } = cluster;
  const defaults = Object.keys(shared.defaults).length === 0 ? {} : { defaults: shared.defaults };
  const head = `new ProxmoxCluster(stack, ${quoted(name)}, `;
  return [
    'const app = new App();',
    `const stack = new TerraformStack(app, ${quoted(name)});`,
    '',
    `${head}${typescriptValue({ owner, ...fields, ...defaults }, '', head.length + 2)});`,
    '',
  ];
}

export function classLines({ classes }: Shared, before = ''): string[] {
  return classes.map(each => {
    const head = `${before}const ${variableOf(each.name)} = new MachineClass(`;
    return `${head}${typescriptValue(each, '', head.length + 2)});`;
  });
}

function spaced(lines: string[]): string[] {
  return lines.length === 0 ? [] : [...lines, ''];
}

/** A machine, or a loop over machines that are alike. `own`: the name of what some of them say beside the others. */
export function blockLines(block: Block, shared: Shared, indent: string, own = 'own'): string[] {
  const { json, columns, rows, class: named } = withShared(block, shared);
  const { id, ...fields } = json;
  const isLoop = columns.length > 0;
  const exceptions = rows.filter(row => Object.keys(row.own).length > 0);
  const inner = isLoop ? `${indent}  ` : indent;
  const props = {
    ...(named !== undefined && { class: new Column(variableOf(named)) }),
    ...fields,
    ...(exceptions.length > 0 && { [SPREAD]: new Column(`${own}[id]`) }),
  };
  const head = `${inner}new Machine(stack, ${isLoop ? 'id' : quoted(String(id))}, `;
  const made = `${head}${typescriptValue(props, inner, head.length + 2)});`;
  if (!isLoop) return [...rows.flatMap(({ beside }) => beside.map(line => indent + line)), made];
  return [
    ...ownLines(exceptions, indent, own),
    `${indent}for (const [${columns.join(', ')}] of [`,
    ...rows.flatMap(({ values, beside }) => {
      const row = `${inner}${typescriptValue(values, inner, inner.length + 1)},`;
      return [[row, ...beside].join(' ')];
    }),
    `${indent}] as const) {`,
    made,
    `${indent}}`,
  ];
}

/** What some machines of a loop say besides, or in place of what all say. */
function ownLines(rows: Block['rows'], indent: string, name: string): string[] {
  if (rows.length === 0) return [];
  const entries = rows.map(({ id, own }) => {
    const head = `${indent}  ${keyOf(id)}: `;
    return `${head}${typescriptValue(own, `${indent}  `, head.length + 1)},`;
  });
  return [`${indent}const ${name}: Record<string, MachineProps> = {`, ...entries, `${indent}};`];
}

/** How what machines say beside the others is called in each block of a program: `own`, `own2`. */
export function ownNames(blocks: readonly Block[]): Map<Block, string> {
  const some = blocks.filter(hasOwn);
  return new Map(some.map((block, index) => [block, index === 0 ? 'own' : `own${index + 1}`]));
}

function hasOwn({ rows }: Block): boolean {
  return rows.some(({ own }) => Object.keys(own).length > 0);
}

/** The class is a variable, not a value. */
export function variableOf(name: string): string {
  return name.replace(/[-.]+(\w)/g, (_, letter: string) => letter.toUpperCase()).replace(/[^\w]/g, '_');
}
