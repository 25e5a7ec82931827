// @ts-check
// Writes docs/api.md, the public surface of the constructs, from their declarations. With --check it writes nothing and
// fails when the page is stale. It reads the text of the sources, as a person does: types stand as they are written.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const page = path.join(root, 'docs', 'api.md');

const INTRODUCTION = `# Constructs

Written by \`node scripts/api.mjs\` from \`constructs/\`: change the documentation there, not this page. A change of this
page is a change of the public surface.

- A field that is not given is **not managed**: what Proxmox has stays as it is, and is never a drift.
- A value of another resource may stand wherever a text, a number or a list of texts may, and in a boolean.
- What each value may be is in [the reference of fields](model.md): constructs and documents have the same fields.
`;

/** @param {string} name */
function sourceOf(name) {
  const file = path.join(root, 'constructs', `${name}.ts`);
  return ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
}

/** The declarations that the door of the room exports, by their kind. */
function exported() {
  const declarations = sourceOf('index')
    .statements.filter(ts.isExportDeclaration)
    .flatMap(statement => {
      const { moduleSpecifier: from, exportClause: clause } = statement;
      if (!from || !ts.isStringLiteral(from) || !clause || !ts.isNamedExports(clause)) return [];
      const names = clause.elements.map(element => element.name.text);
      return sourceOf(from.text).statements.filter(
        node => isDocumented(node) && names.includes(node.name?.text ?? ''),
      );
    });
  return {
    classes: declarations.filter(ts.isClassDeclaration).sort(byName),
    interfaces: declarations.filter(ts.isInterfaceDeclaration).sort(byName),
    types: declarations.filter(ts.isTypeAliasDeclaration).sort(byName),
  };
}

/** @param {ts.Node} node */
function isDocumented(node) {
  return ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);
}

/** @param {ts.DeclarationStatement} one @param {ts.DeclarationStatement} other */
function byName(one, other) {
  return (one.name?.getText() ?? '') < (other.name?.getText() ?? '') ? -1 : 1;
}

/** What a comment says of a declaration, on one line. @param {ts.Node} node */
function about(node) {
  const [doc] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  return (ts.getTextOfJSDocComment(doc?.comment) ?? '').replace(/\s+/g, ' ').trim();
}

/** @param {ts.Node} node */
function defaultOf(node) {
  const tag = ts.getJSDocTags(node).find(({ tagName }) => tagName.text === 'default');
  const text = (ts.getTextOfJSDocComment(tag?.comment) ?? '').replace(/\s+/g, ' ').trim();
  return text.startsWith('- ') ? text.slice(2) : text && `\`${text}\``;
}

/** @param {ts.Node | undefined} node */
function written(node) {
  return (node?.getText() ?? '').replace(/\s+/g, ' ').replace(/^\| /, '');
}

/** @param {string[]} cells */
function row(cells) {
  return `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** @param {ts.InterfaceDeclaration} node */
function interfaceText(node) {
  const above = (node.heritageClauses ?? []).flatMap(({ types }) =>
    types.map(type => `\`${written(type)}\``),
  );
  const fields = node.members.filter(ts.isPropertySignature).map(field => {
    const name = `\`${field.name.getText()}\`${field.questionToken ? '' : ' (required)'}`;
    return row([name, `\`${written(field.type)}\``, about(field), defaultOf(field)]);
  });
  const inherited = above.length === 0 ? [] : [`It has every field of ${above.join(', ')}, and:`, ''];
  const table = [row(['field', 'type', 'what', 'default']), '|---|---|---|---|', ...fields];
  return [`### ${node.name.text}`, '', about(node), '', ...inherited, ...table, ''].join('\n');
}

/** @param {ts.ClassDeclaration} node */
function classText(node) {
  const members = node.members.filter(member => isPublic(member)).map(memberLine);
  return [`### ${node.name?.text}`, '', about(node), '', ...members, ''].join('\n');
}

/** @param {ts.ClassElement} member */
function isPublic(member) {
  const flags = ts.getCombinedModifierFlags(member);
  if ((flags & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) !== 0) return false;
  return !['toJSON', 'toString'].includes(member.name?.getText() ?? '');
}

/** @param {ts.ClassElement} member */
function memberLine(member) {
  const says = about(member);
  return `- \`${signature(member)}\`${says === '' ? '' : `: ${says}`}`;
}

/** @param {ts.ClassElement} member */
function signature(member) {
  const isStatic = (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Static) !== 0 ? 'static ' : '';
  if (ts.isConstructorDeclaration(member)) {
    const { parameters } = member;
    return `new (${parameters.map(written).join(', ')})`;
  }
  const name = `${isStatic}${member.name?.getText()}`;
  if (ts.isMethodDeclaration(member)) {
    return `${name}(${member.parameters.map(written).join(', ')}): ${written(member.type)}`;
  }
  const typed = ts.isGetAccessor(member) || ts.isPropertyDeclaration(member) ? written(member.type) : '';
  return typed === '' ? name : `${name}: ${typed}`;
}

/** @param {ts.TypeAliasDeclaration} node */
function typeText(node) {
  return [`### ${node.name.text}`, '', about(node), '', `\`${written(node.type)}\``, ''].join('\n');
}

const { classes, interfaces, types } = exported();
const text = [
  INTRODUCTION,
  '## Classes\n',
  ...classes.map(classText),
  '## Props\n',
  ...interfaces.map(interfaceText),
  '## Choices\n',
  ...types.map(typeText),
].join('\n');

if (!process.argv.includes('--check')) writeFileSync(page, text);
else if (readFileSync(page, 'utf8') !== text) {
  console.error('docs/api.md is stale: run node scripts/api.mjs');
  process.exitCode = 1;
}
