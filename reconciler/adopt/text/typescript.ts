import { alikes, holeOf, type Alike, type Written } from '../alike';
import type { Program } from '../program';
import { shareValues, type Shared } from '../share-values';
import type { Json } from '../spec/said';
import { literal, type Style } from './literal';
import { remarks } from './remarks';
import { sayable } from './sayable';

const STYLE: Style = {
  text: value => quoted(value),
  key: name => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name)),
  is: ': ',
  commas: true,
};

function quoted(value: string): string {
  const inner = JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inner.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`;
}

/** A program for the constructs: one stack, the sizes that several machines have as classes. */
export function typescriptOf(program: Program): string {
  const { owner, cluster, machines } = sayable(program);
  const shared = shareValues(machines.map(({ json }) => json));
  const { name, ...fields } = cluster;
  const defaults = Object.keys(shared.defaults).length === 0 ? {} : { defaults: shared.defaults };
  const classes = shared.classes.length === 0 ? [] : ['MachineClass'];
  return [
    `import { App, TerraformStack } from 'cdktf';`,
    `import { ${['Machine', ...classes, 'ProxmoxCluster'].join(', ')} } from 'cdktf-proxmox';`,
    '',
    'const app = new App();',
    `const stack = new TerraformStack(app, ${quoted(name)});`,
    '',
    `new ProxmoxCluster(stack, ${quoted(name)}, ${literal({ owner, ...fields, ...defaults }, STYLE, '')});`,
    '',
    ...classesOf(shared),
    ...alikes(written(shared, machines)).flatMap(machineLines),
    'app.synth();',
    '',
  ].join('\n');
}

function written({ machines }: Shared, program: Program['machines']): Written[] {
  return machines.map(({ json, class: named }, index) => {
    const machine = program[index];
    const beside = machine === undefined ? [] : remarks('//', machine);
    return { json: { ...json, ...(named !== undefined && { class: named }) }, beside };
  });
}

function classesOf({ classes }: Shared): string[] {
  const lines = classes.map(
    each => `const ${variableOf(each.name)} = new MachineClass(${literal(each, STYLE, '')});`,
  );
  return lines.length === 0 ? [] : [...lines, ''];
}

/** A machine, or a loop over machines that are alike. */
function machineLines({ json, beside, columns, rows }: Alike): string[] {
  const { id, class: named, ...fields } = json;
  const [who, indent] = columns.length === 0 ? [quoted(String(id)), ''] : ['id', '  '];
  const text = filledIn(literal(fields, STYLE, indent, indent.length + 22 + who.length), columns);
  const props = named === undefined ? text : withClass(text, fields, String(named), indent);
  const made = `${indent}new Machine(stack, ${who}, ${props});`;
  return [...beside, ...(columns.length === 0 ? [made] : loopOf(columns, rows, made)), ''];
}

function loopOf(columns: readonly string[], rows: Alike['rows'], made: string): string[] {
  return [
    `for (const [${columns.join(', ')}] of [`,
    ...rows.map(row => `  [${row.map(value => literal(value, STYLE, '')).join(', ')}],`),
    '] as const) {',
    made,
    '}',
  ];
}

/** The text with the names of columns in their places; a field of the same name needs no second one. */
function filledIn(text: string, columns: readonly string[]): string {
  return columns.reduce((now, column) => {
    const hole = quoted(holeOf(column));
    return now.replaceAll(`${column}: ${hole}`, column).replaceAll(hole, column);
  }, text);
}

/** The class is a variable, not a value. */
function withClass(text: string, fields: Json, name: string, indent: string): string {
  if (Object.keys(fields).length === 0) return `{ class: ${variableOf(name)} }`;
  const end = text.includes('\n') ? `\n${indent}  ` : ' ';
  return `{${end}class: ${variableOf(name)},${text.slice(1)}`;
}

function variableOf(name: string): string {
  return name.replace(/[-.]+(\w)/g, (_, letter: string) => letter.toUpperCase()).replace(/[^\w]/g, '_');
}
