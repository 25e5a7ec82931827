import { isRecord } from '../../../spec';
import { hclKey } from '../../report/hcl-text';
import { Expression, hclValue } from '../../report/hcl-value';
import { Column, type Block } from '../alike/blocks';
import { groupsOf, type Group } from '../groups';
import type { Program } from '../program';
import { common } from '../share-values';
import { less } from '../spec/said';
import { defaultsLines, moduleCall } from './hcl';
import { commentOf, remarkedBlocks } from './remarks';

/** A row is one line as far as people read it so. */
const ROW = 180;

/** A call of the module as files: the call itself, and locals for each group of machines. */
export function hclFiles(program: Program): Map<string, string> {
  const groups = groupsOf(program.machines).map(group => ({
    group,
    blocks: remarkedBlocks('#', group.machines),
  }));
  const blocks = groups.flatMap(({ blocks: some }) => some);
  const own = blocks.flatMap(({ rows }) => rows.flatMap(row => Object.keys(row.own)));
  const defaults = blocks.length < 2 ? {} : less(common(blocks.map(({ json }) => json)), own);
  const shared = Object.keys(defaults);
  const names = groups.map(({ group: { name } }) => `local.${localOf(name)}`).sort();
  const all = `merge(\n${names.map(name => `    ${name},\n`).join('')}  )`;
  const main = [
    'locals {',
    ...defaultsLines(defaults),
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
    const head = `${hclKey(String(id))} = `;
    const comments = rows.flatMap(({ beside }) => beside.map(line => `      ${line}`));
    return [
      '    {',
      ...comments,
      `      ${head}${hclValue(fields, { indent: '      ', used: 6 + head.length })}`,
      '    },',
    ];
  }
  const others = rows.filter(({ own }) => Object.keys(own).length > 0);
  const template = hclValue(inRow(fields), { indent: '      ', used: 30 });
  const given = others.length === 0 ? template : `merge(${template}, try(row.own, {}))`;
  return [
    '    { for id, row in {',
    ...rows.flatMap(({ values, own, beside, id: key }) => {
      const cells = Object.fromEntries(columns.map((name, index) => [name, values[index]]));
      const row = { ...less(cells, ['id']), ...(Object.keys(own).length > 0 && { own }) };
      const head = `${hclKey(key)} = `;
      return [
        [
          `      ${head}${hclValue(row, { indent: '      ', used: 6 + head.length, width: ROW })}`,
          ...beside,
        ].join(' '),
      ];
    }),
    `    } : id => ${given} },`,
  ];
}

/** A value with its columns read of the row. */
function inRow(value: unknown): unknown {
  if (value instanceof Column) return new Expression(`row.${value.name}`);
  if (Array.isArray(value)) return value.map(inRow);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inRow(each)]));
}

/** A name of HCL: one that begins with a digit is none. */
function localOf(group: string): string {
  return `group-${group}`;
}
