// Writes docs/api.md, the public surface of the constructs, from their declarations. With --check it writes nothing and
// fails when the page is stale. It reads the text of the sources, as a person does: types stand as they are written.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const page = path.join(__dirname, '..', 'docs', 'api.md');

const INTRODUCTION = `# Constructs

Written by \`npm run api\` from \`constructs/\`: change the documentation there, not this page. A change of this
page is a change of the public surface.

- A field that is not given is **not managed**: what Proxmox has stays as it is, and is never a drift.
- A value of another resource may stand wherever a text, a number or a list of texts may, and in a boolean.
- What each value may be is in [the reference of fields](model.md): constructs and documents have the same fields.
`;

type Declaration = ts.ClassDeclaration | ts.InterfaceDeclaration | ts.TypeAliasDeclaration;
const isDeclaration = (node: ts.Node): node is Declaration =>
  ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);

function statementsOf(name: string): ts.NodeArray<ts.Statement> {
  const file = path.join(__dirname, '..', 'constructs', `${name}.ts`);
  return ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true).statements;
}

/** What the door of the room exports. */
function exported(): Declaration[] {
  const doors = statementsOf('index').filter(ts.isExportDeclaration);
  return doors.flatMap(({ moduleSpecifier, exportClause }) => {
    const names = exportClause?.getText().match(/\w+/g) ?? [];
    const declared = statementsOf(moduleSpecifier?.getText().slice(1, -1) ?? '').filter(isDeclaration);
    return declared.filter(node => names.some(name => name === node.name?.text));
  });
}

const onOneLine = (text = '') => text.replace(/\s+/g, ' ').trim();
const written = (node: ts.Node | undefined) => onOneLine(node?.getText()).replace(/^\| /, '');
const row = (cells: string[]) => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`;

/** What the comment says. */
function about(node: ts.Node): string {
  const [doc] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  return onOneLine(ts.getTextOfJSDocComment(doc?.comment));
}

function defaultOf(node: ts.Node): string {
  const tag = ts.getJSDocTags(node).find(({ tagName }) => tagName.text === 'default');
  const text = onOneLine(ts.getTextOfJSDocComment(tag?.comment));
  return text.startsWith('- ') ? text.slice(2) : text && `\`${text}\``;
}

/** What stands under the heading and the comment. */
function contentOf(node: Declaration): string[] {
  if (ts.isTypeAliasDeclaration(node)) return [`\`${written(node.type)}\``];
  if (ts.isClassDeclaration(node)) return node.members.filter(isPublic).map(memberLine);
  const above = (node.heritageClauses ?? []).flatMap(({ types }) =>
    types.map(type => `\`${written(type)}\``),
  );
  const inherited = above.length === 0 ? [] : [`It has every field of ${above.join(', ')}, and:`, ''];
  const fields = node.members.filter(ts.isPropertySignature).map(field => {
    const name = `\`${field.name.getText()}\`${field.questionToken ? '' : ' (required)'}`;
    return row([name, `\`${written(field.type)}\``, about(field), defaultOf(field)]);
  });
  return [...inherited, row(['field', 'type', 'what', 'default']), '|---|---|---|---|', ...fields];
}

function isPublic(member: ts.ClassElement): boolean {
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
  const isHidden = (ts.getCombinedModifierFlags(member) & hidden) !== 0;
  return !isHidden && !['toJSON', 'toString'].includes(member.name?.getText() ?? '');
}

function memberLine(member: ts.ClassElement): string {
  const isStatic = (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Static) !== 0;
  const name = member.name ? `${isStatic ? 'static ' : ''}${member.name.getText()}` : 'new ';
  const takes =
    ts.isFunctionLike(member) && !ts.isGetAccessor(member)
      ? `(${member.parameters.map(written).join(', ')})`
      : '';
  const gives = ts.isFunctionLike(member) || ts.isPropertyDeclaration(member) ? written(member.type) : '';
  const says = about(member);
  return `- \`${name}${takes}${gives && `: ${gives}`}\`${says && `: ${says}`}`;
}

const all = exported().sort((one, other) => ((one.name?.text ?? '') < (other.name?.text ?? '') ? -1 : 1));
const parts = [
  ['Classes', ts.isClassDeclaration],
  ['Props', ts.isInterfaceDeclaration],
  ['Choices', ts.isTypeAliasDeclaration],
] as const;
const text = [
  INTRODUCTION,
  ...parts.flatMap(([title, belongs]) => [
    `## ${title}\n`,
    ...all
      .filter(node => belongs(node))
      .map(node => [`### ${node.name?.text}`, '', about(node), '', ...contentOf(node), ''].join('\n')),
  ]),
].join('\n');

if (!process.argv.includes('--check')) writeFileSync(page, text);
else if (readFileSync(page, 'utf8') !== text) {
  console.error('docs/api.md is stale: run npm run api');
  process.exitCode = 1;
}
