import { blocksOf, type Block } from '../alike/blocks';
import { groupsOf, type Group } from '../groups';
import type { Program } from '../program';
import { common } from '../share-values';
import { less } from '../spec/said';
import { HCL, moduleCall } from './hcl';
import { literal } from './literal';
import { commentOf, remarks } from './remarks';

/** A row is one line as far as people read it so. */
const ROW = { ...HCL, width: 180 };

/** A call of the module as files: the call itself, and locals for each group of machines. */
export function hclFiles(program: Program): Map<string, string> {
  const groups = groupsOf(program.machines).map(group => ({ group, blocks: blocksFrom(group) }));
  const blocks = groups.flatMap(({ blocks: some }) => some);
  const own = blocks.flatMap(({ rows }) => rows.flatMap(row => Object.keys(row.own)));
  const defaults = blocks.length < 2 ? {} : less(common(blocks.map(({ json }) => json)), own);
  const shared = Object.keys(defaults);
  const names = groups.map(({ group: { name } }) => `local.${localOf(name)}`).sort();
  const all = `merge(\n${names.map(name => `    ${name},\n`).join('')}  )`;
  const main = [
    'locals {',
    ...(shared.length === 0 ? [] : [`  defaults = ${literal(defaults, HCL, '  ', 13)}`, '']),
    `  machines = ${all}`,
    '}',
    '',
    ...moduleCall(program, shared),
  ];
  return new Map([
    ['main.tf', main.join('\n')],
    ...groups.map(({ group, blocks: some }) => [`${group.name}.tf`, groupText(group, some, shared)] as const),
  ]);
}

function blocksFrom({ machines }: Group): Block[] {
  return blocksOf(machines.map(machine => ({ json: machine.json, beside: remarks('#', machine) })));
}

function groupText(
  { name, says, machines }: Group,
  blocks: readonly Block[],
  shared: readonly string[],
): string {
  const count = machines.length === 1 ? '1 machine' : `${machines.length} machines`;
  return [
    `# ${commentOf([count, says].filter(Boolean).join(' '))}.`,
    'locals {',
    `  ${localOf(name)} = merge(`,
    ...blocks.flatMap(block => blockLines({ ...block, json: less(block.json, shared) })),
    '  )',
    '}',
    '',
  ].join('\n');
}

/** A machine, or a table of machines that are alike and the template of its rows. */
function blockLines({ json, columns, rows }: Block): string[] {
  const { id, ...fields } = json;
  if (columns.length === 0) {
    const head = `${HCL.key(String(id))} = `;
    const comments = rows.flatMap(({ beside }) => beside.map(line => `      ${line}`));
    return [
      '    {',
      ...comments,
      `      ${head}${literal(fields, HCL, '      ', 6 + head.length)}`,
      '    },',
    ];
  }
  const others = rows.filter(({ own }) => Object.keys(own).length > 0);
  const template = literal(fields, HCL, '      ', 30);
  const given = others.length === 0 ? template : `merge(${template}, try(row.own, {}))`;
  return [
    '    { for id, row in {',
    ...rows.flatMap(({ values, own, beside, id: key }) => {
      const cells = Object.fromEntries(columns.map((name, index) => [name, values[index]]));
      const row = { ...less(cells, ['id']), ...(Object.keys(own).length > 0 && { own }) };
      const head = `${HCL.key(key)} = `;
      return [[`      ${head}${literal(row, ROW, '      ', 6 + head.length)}`, ...beside].join(' ')];
    }),
    `    } : id => ${given} },`,
  ];
}

/** A name of HCL: one that begins with a digit is none. */
function localOf(group: string): string {
  return `group-${group}`;
}
