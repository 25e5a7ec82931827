import type { Block } from '../alike/blocks';
import { groupsOf, type Group } from '../groups';
import type { Program } from '../program';
import { sharedBy, withShared, type Shared } from '../share-values';
import { unlike } from '../spec/networks';
import { commentOf, remarkedBlocks } from './remarks';
import { sayable } from './sayable';
import { blockLines, classLines, ownNames, stackLines, variableOf } from './typescript';

/** A program for the constructs as files: the cluster, sizes that several machines have, and a file for each group. */
export function typescriptFiles(program: Program): Map<string, string> {
  const said = sayable(program);
  const taken = new Set<string>();
  const groups = groupsOf(said.machines).map(group => ({
    group,
    adds: functionOf(group.name, taken),
    blocks: remarkedBlocks('//', group.machines),
  }));
  const shared = sharedBy(groups.flatMap(({ blocks }) => blocks));
  const classes = [`import { MachineClass } from 'cdktf-proxmox';`, '', ...classLines(shared, 'export ')];
  return new Map([
    ['main.ts', text(mainLines(said, shared, groups))],
    ...(shared.classes.length === 0 ? [] : ([['classes.ts', text(classes)]] as const)),
    ...groups.map(
      ({ group, adds, blocks }) =>
        [`${group.name}.ts`, text(groupLines(group, adds, blocks, shared))] as const,
    ),
  ]);
}

function text(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}

function mainLines(
  said: Program,
  shared: Shared,
  groups: readonly { group: Group; adds: string }[],
): string[] {
  const sorted = [...groups].sort(({ group: one }, { group: other }) => (one.name < other.name ? -1 : 1));
  return [
    `import { App, TerraformStack } from 'cdktf';`,
    `import { ProxmoxCluster } from 'cdktf-proxmox';`,
    ...sorted.map(({ group, adds }) => `import { ${adds} } from './${group.name}';`),
    '',
    ...stackLines(said, shared),
    ...sorted.map(({ adds }) => `${adds}(stack);`),
    '',
    'app.synth();',
  ];
}

function groupLines(
  { says, machines }: Group,
  adds: string,
  blocks: readonly Block[],
  shared: Shared,
): string[] {
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
    `export function ${adds}(stack: TerraformStack): void {`,
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

/** Groups of other names may give one word: `web-1` and `web1`. */
function functionOf(group: string, taken: Set<string>): string {
  return unlike(`add${variableOf(`-${group}`)}`, taken).replace('-', '_');
}
