import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** A text that the program may print, as its code has it: `…` stands for a value. */
export interface Sentence {
  /** The file, such as `reconciler/plan/problems.ts`. */
  file: string;
  text: string;
  /** What to do, where the code says it beside the text. */
  remedy: string | undefined;
}

/** Texts in these places are help, or descriptions of fields: they have pages of their own. */
const NOT_SAID = new Set(
  [
    'description',
    'says',
    'wordsSay',
    'help',
    'meta',
    'describe',
    'examples',
    'instead',
    'first',
    'meant',
  ].concat(['summary', 'example', 'matches', 'split']),
);
// Texts of files that are written, of the help, of metrics, and reasons of requests.
const NOT_READ =
  /commands\/(?:verb|help|words)|-tf\.ts$|readme|hcl-type|metrics|call-reasons|tutorial|stack-in-hcl/;

/** Every sentence of four words or more in the code of these folders. */
export function sentencesOf(root: string, folders: readonly string[]): Sentence[] {
  return folders
    .flatMap(folder => filesIn(root, folder))
    .filter(file => !NOT_READ.test(file))
    .flatMap(file => sentencesIn(file, readFileSync(join(root, file), 'utf8')));
}

const filesIn = (root: string, folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => join(folder, name))
    .sort();

function sentencesIn(file: string, code: string): Sentence[] {
  const found: Sentence[] = [];
  const add = (text: string, remedy?: string): void => {
    if (isSentence(`${text} ${remedy ?? ''}`))
      found.push({ file, text: oneLine(text), remedy: remedy && oneLine(remedy) });
  };
  const visit = (node: ts.Node): void => {
    if (isNotSaid(node)) return;
    const refusal = refusalIn(node);
    if (refusal) return add(refusal.detail, refusal.remedy);
    const text = textOf(node);
    if (text !== undefined) add(text);
    else ts.forEachChild(node, visit);
    if (ts.isTemplateExpression(node)) node.templateSpans.forEach(({ expression }) => visit(expression));
  };
  visit(ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true));
  return found;
}

function isNotSaid(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return true;
  if (ts.isPropertyAssignment(node)) return NOT_SAID.has(node.name.getText());
  return (
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    NOT_SAID.has(node.expression.name.text)
  );
}

/** An object that says what is refused and what to do. */
function refusalIn(node: ts.Node): { detail: string; remedy: string } | undefined {
  if (!ts.isObjectLiteralExpression(node)) return undefined;
  const said = (name: string): string | undefined => {
    const property = node.properties.find(each => each.name?.getText() === name);
    return property && ts.isPropertyAssignment(property) ? textOf(property.initializer) : undefined;
  };
  const [detail, remedy] = [said('detail'), said('remedy')];
  return detail === undefined || remedy === undefined ? undefined : { detail, remedy };
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (ts.isParenthesizedExpression(node)) return textOf(node.expression);
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  return left === undefined && right === undefined ? undefined : (left ?? '…') + (right ?? '…');
}

const FEWEST_WORDS = 4;
const MOST_LINES = 4;

function isSentence(text: string): boolean {
  const words = text.match(/[A-Za-z']{2,}/g) ?? [];
  // a request, a pattern, or one word alone: a path, a name
  const isOther = /^(?:(?:GET|PUT|POST|DELETE) \/|\^|\S+ *$)/.test(text);
  return words.length >= FEWEST_WORDS && text.split('\n').length <= MOST_LINES && !isOther;
}

const oneLine = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/…(?:\s*…)+/g, '…')
    .trim();
