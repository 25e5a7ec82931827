import type { Block } from '../alike/blocks';
import { groupsOf, type Group } from '../groups';
import type { Program } from '../program';
import { sharedBy, withShared, type Shared } from '../share-values';
import { commentOf } from './remarks';
import { sayable } from './sayable';
import { blockLines, blocksFrom, classLines, ownNames, stackLines, variableOf } from './typescript';

/** A program for the constructs as files: the cluster, sizes that several machines have, and a file for each group. */
export function typescriptFiles(program: Program): Map<string, string> {
  const said = sayable(program);
  const groups = groupsOf(said.machines).map(group => ({ group, blocks: blocksFrom(group.machines) }));
  const shared = sharedBy(groups.flatMap(({ blocks }) => blocks));
  const classes = [`import { MachineClass } from 'cdktf-proxmox';`, '', ...classLines(shared, 'export ')];
  return new Map([
    ['main.ts', text(mainLines(said, shared, groups))],
    ...(shared.classes.length === 0 ? [] : ([['classes.ts', text(classes)]] as const)),
    ...groups.map(
      ({ group, blocks }) => [`${group.name}.ts`, text(groupLines(group, blocks, shared))] as const,
    ),
  ]);
}

function text(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}

function mainLines(said: Program, shared: Shared, groups: readonly { group: Group }[]): string[] {
  const names = groups.map(({ group: { name } }) => name).sort();
  return [
    `import { App, TerraformStack } from 'cdktf';`,
    `import { ProxmoxCluster } from 'cdktf-proxmox';`,
    ...names.map(name => `import { ${functionOf(name)} } from './${name}';`),
    '',
    ...stackLines(said, shared),
    ...names.map(name => `${functionOf(name)}(stack);`),
    '',
    'app.synth();',
  ];
}

function groupLines({ name, says, machines }: Group, blocks: readonly Block[], shared: Shared): string[] {
  const used = blocks.flatMap(block => withShared(block, shared).class ?? []);
  const classes = [...new Set(used)].map(variableOf).sort();
  const own = ownNames(blocks);
  const lines = blocks.flatMap((block, index) => [
    ...(index === 0 ? [] : ['']),
    ...blockLines(block, shared, '  ', own.get(block)),
  ]);
  const count = machines.length === 1 ? '1 machine' : `${machines.length} machines`;
  return [
    `import type { TerraformStack } from 'cdktf';`,
    `import { Machine${own.size === 0 ? '' : ', type MachineProps'} } from 'cdktf-proxmox';`,
    ...importsOf(classes),
    '',
    `// ${commentOf([count, says].filter(Boolean).join(' '))}.`,
    `export function ${functionOf(name)}(stack: TerraformStack): void {`,
    ...lines,
    '}',
  ];
}

const WIDTH = 110;

function importsOf(classes: readonly string[]): string[] {
  const line = `import { ${classes.join(', ')} } from './classes';`;
  if (classes.length === 0) return [];
  if (line.length <= WIDTH) return [line];
  return ['import {', ...classes.map(name => `  ${name},`), `} from './classes';`];
}

function functionOf(group: string): string {
  return `add${variableOf(`-${group}`)}`;
}
