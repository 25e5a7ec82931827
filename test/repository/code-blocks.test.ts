import { existsSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { parse } from 'yaml';
import { scripts } from '../../package.json';
import { program } from '../../reconciler/commands/command-line';
import { parseOptions } from '../../simulator/cli/options';
import { readAdministrators } from '../../simulator/administrators/read';
import { parseRecord } from '../../simulator/record/options';
import { parseReplay } from '../../simulator/replay/options';
import { parseDesiredState } from '../../spec';
import { fieldExamples } from '../support/docs/field-examples';
import { fieldsInBoth } from '../support/docs/said';
import { blocks, commandsOf, isOfSimulator, wordsOf, type Block } from './code-blocks';
import { AROUND, OTHERS, SHOWN } from './code-blocks-shown';
import { root } from './copied-tree';

const isFile = (name: string): boolean => existsSync(join(root, name));
/** How the words of a command are checked, by its first words. */
const CHECKS: Readonly<Record<string, (words: string[]) => Promise<string | undefined> | boolean>> = {
  'pve-reconciler': wrongForUs,
  'npx --no -- pve-reconciler': wrongForUs,
  'node dist/reconciler.cjs': wrongForUs,
  'pve-simulator': wrongForSimulator,
  'python3 test/contract/recordings/replay.py': () => isFile('test/contract/recordings/replay.py'),
  'npx tsx': ([file = '']) => isFile(file),
  'npm run': ([name = '']) => Object.hasOwn(scripts, name),
  ...Object.fromEntries(Object.keys(OTHERS).map(name => [name, () => true])),
};

/** As many words as name a program whose words are checked. */
const named = (words: string[]): string | undefined =>
  [4, 2, 1].map(count => words.slice(0, count).join(' ')).find(name => Object.hasOwn(CHECKS, name));

const firstLine = ({ text }: Block): string => text.trim().split('\n')[0]!;
const whole = (block: Block): string => AROUND[firstLine(block)]?.(block.text) ?? block.text;
const titled = (some: Block[]): [string, Block][] => some.map(block => [`${block.page}:${block.at}`, block]);

const shown = blocks.filter(block => Object.hasOwn(SHOWN, firstLine(block)));
const run = blocks.filter(isOfSimulator);
const live = blocks.filter(block => !shown.includes(block) && !run.includes(block));
const isProgram = (block: Block): boolean =>
  block.language === 'ts' || /^import .* from 'cdktf';$/m.test(block.text);
const programs = live.filter(isProgram);
const isOthers = ({ page, language }: Block): boolean => page === 'docs/simulator.md' && language === 'json';
const documents = live.filter(
  block => block.language === 'yaml' || (block.language === 'json' && !isOthers(block)),
);
const others = live.filter(isOthers);
const isCommand = (block: Block): boolean =>
  block.language === 'sh' ||
  (block.language === '' && named(wordsOf(commandsOf(block)[0] ?? '')) !== undefined);
const lines = live.filter(isCommand);
const calls = live.filter(({ language }) => language === 'hcl');

test('each block of code is read by a test, or is in the table of those that are only shown', () => {
  const known = new Set([...shown, ...run, ...programs, ...documents, ...others, ...lines, ...calls]);
  expect(blocks.length).toBeGreaterThan(30);
  expect(titled(blocks.filter(block => !known.has(block))).map(([title]) => title)).toEqual([]);
});

test('the tables name no block that is gone', () => {
  const first = blocks.map(firstLine);
  expect([...Object.keys(SHOWN), ...Object.keys(AROUND)].filter(line => !first.includes(line))).toEqual([]);
});

/** The examples of the fields, as one program. */
const EXAMPLES: Block = {
  ...{ page: 'docs/field-examples.md', at: 1, language: 'ts' },
  text: [
    "import type { MachineProps } from 'cdktf-proxmox';",
    'export const examples: Partial<MachineProps>[] = [',
    ...fieldExamples().map(({ said }) => `{ ${fieldsInBoth(said)} },`),
    '];',
  ].join('\n'),
};

test('each TypeScript compiles against the constructs', () => {
  const all = [...programs.map(block => ({ ...block, text: whole(block) })), EXAMPLES];
  const files = new Map(all.map((block, at) => [join(root, `block-${at}.ts`), block]));
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.Node20,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: ['node'],
    paths: { 'cdktf-proxmox': [join(root, 'constructs', 'index.ts')] },
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = name => files.has(name) || fileExists(name);
  host.readFile = name => (files.has(name) ? files.get(name)!.text : readFile(name));
  host.getSourceFile = (name, version) =>
    files.has(name)
      ? ts.createSourceFile(name, files.get(name)!.text, version)
      : getSourceFile(name, version);
  const compiled = ts.createProgram([...files.keys()], options, host);
  const wrong = [...files].flatMap(([name, { page, at }]) =>
    ts
      .getPreEmitDiagnostics(compiled, compiled.getSourceFile(name))
      .map(({ messageText }) => `${page}:${at}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`),
  );
  expect(files.size).toBeGreaterThan(2);
  expect(wrong).toEqual([]);
});

test.each(titled(documents))('%s is a good desired state', (_, block) => {
  expect(parseDesiredState(parse(whole(block)))).toMatchObject({ ok: true });
});

test.each(titled(others))('%s is a file of administrators', (_, { text }) => {
  expect(readAdministrators(JSON.parse(text))).toHaveLength(1);
});

test.each(titled(lines))(
  '%s: each command is one that there is, with flags that it takes',
  async (_, block) => {
    const wrong = await Promise.all(commandsOf(block).map(wrongIn));
    expect(wrong.filter(problem => problem !== undefined)).toEqual([]);
  },
);

/** What is wrong with a command; undefined when nothing is. */
async function wrongIn(command: string): Promise<string | undefined> {
  const words = wordsOf(command);
  const name = named(words);
  if (name === undefined) return `nothing is known of: ${command}`;
  const answer = await CHECKS[name]?.(words.slice(name.split(' ').length));
  return answer === false ? command : answer === true ? undefined : answer;
}

/** Throws with the words of the program. */
function wrongForSimulator([verb, ...words]: string[]): boolean {
  if (verb === 'record') parseRecord(words);
  else if (verb === 'replay') parseReplay(words, {});
  else if (verb !== 'health')
    parseOptions(
      [verb, ...words].filter(word => word !== undefined),
      {},
    );
  return true;
}

async function wrongForUs(words: string[]): Promise<string | undefined> {
  let said = '';
  let verb: string | undefined;
  try {
    await program(
      asked => Promise.resolve(void (verb = asked.verb.name)),
      text => (said += text),
    ).parseAsync(words, { from: 'user' });
  } catch {
    return said;
  }
  return verb === undefined ? `no verb in ${words.join(' ')}` : undefined;
}
