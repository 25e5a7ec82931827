import type { Program } from '../program';
import { shareValues, type Shared } from '../share-values';
import type { Json } from '../spec/said';
import { literal, remarks, type Style } from './literal';
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
    ...machines.flatMap((each, index) => machineLines(shared.machines[index], remarks('//', each))),
    'app.synth();',
    '',
  ].join('\n');
}

function classesOf({ classes }: Shared): string[] {
  const lines = classes.map(
    each => `const ${variableOf(each.name)} = new MachineClass(${literal(each, STYLE, '')});`,
  );
  return lines.length === 0 ? [] : [...lines, ''];
}

function machineLines(
  machine: Shared['machines'][number] | undefined,
  comments: readonly string[],
): string[] {
  if (machine === undefined) return [];
  const { id, ...fields } = machine.json;
  const text = literal(fields, STYLE, '', 24 + String(id).length);
  const props = machine.class === undefined ? text : withClass(text, fields, machine.class);
  return [...comments, `new Machine(stack, ${quoted(String(id))}, ${props});`, ''];
}

/** The class is a variable, not a value. */
function withClass(text: string, fields: Json, name: string): string {
  if (Object.keys(fields).length === 0) return `{ class: ${variableOf(name)} }`;
  const end = text.includes('\n') ? '\n  ' : ' ';
  return `{${end}class: ${variableOf(name)},${text.slice(1)}`;
}

function variableOf(name: string): string {
  return name.replace(/[-.]+(\w)/g, (_, letter: string) => letter.toUpperCase()).replace(/[^\w]/g, '_');
}
