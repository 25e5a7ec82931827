import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const tests = path.resolve(__dirname, '..', '..');

/** Gives the name of a test back when it is there and its own body holds the word; throws where not. */
export function shownBy(name: string, word: string): string {
  const [file = '', title = ''] = name.split(' › ');
  const place = path.join(tests, `${file}.test.ts`);
  if (!existsSync(place)) throw new Error(`there is no file ${file}.test.ts`);
  const source = ts.createSourceFile(place, readFileSync(place, 'utf8'), ts.ScriptTarget.Latest, true);
  const bodies = callsIn(source)
    .filter(call => isTest(call) && titleOf(call) === title)
    .map(call => call.getText() + tableOf(call, source));
  if (bodies.length === 0) throw new Error(`${file}.test.ts has no test '${title}'`);
  if (!bodies.some(body => new RegExp(`\\b${word}\\b`).test(body))) {
    throw new Error(`the test '${title}' of ${file}.test.ts does not speak of ${word}`);
  }
  return `test ${name}`;
}

function callsIn(node: ts.Node): ts.CallExpression[] {
  const inside = node.getChildren().flatMap(callsIn);
  return ts.isCallExpression(node) ? [node, ...inside] : inside;
}

function isTest({ expression }: ts.CallExpression): boolean {
  return /^(?:test|it)\b/.test(expression.getText());
}

function titleOf({ arguments: [first] }: ts.CallExpression): string | undefined {
  return first !== undefined && ts.isStringLiteralLike(first) ? first.text : undefined;
}

/** The table of a `test.each`, where it stands above the test. */
function tableOf({ expression }: ts.CallExpression, source: ts.SourceFile): string {
  const [table] = ts.isCallExpression(expression) ? expression.arguments : [];
  if (table === undefined || !ts.isIdentifier(table)) return '';
  const declared = source.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations])
    .find(({ name }) => name.getText() === table.text);
  return declared?.getText() ?? '';
}
