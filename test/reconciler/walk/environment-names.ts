import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const root = path.resolve(__dirname, '..', '..', '..');
/** Who reads a variable by the name that it is given. */
const READERS = /^(?:readVariable|durationIn|oneOf)$/;

/** Every variable that the source of these rooms reads by name; a set that is read by prefix, with PVE_. */
export function environmentNames(...rooms: string[]): string[] {
  return [...new Set(rooms.flatMap(room => sourcesIn(path.join(root, room)).flatMap(namesIn)))].sort();
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map(file => path.join(folder, file));
}

function namesIn(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  if (!/\benv(?:ironment)?\b/i.test(text)) return [];
  return found(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
}

function found(node: ts.Node): string[] {
  return [...own(node), ...node.getChildren().flatMap(found)];
}

function own(node: ts.Node): string[] {
  if (ts.isElementAccessExpression(node)) return ofEnvironment(node.expression, node.argumentExpression);
  if (ts.isPropertyAccessExpression(node)) return ofEnvironment(node.expression, node.name);
  if (ts.isCallExpression(node) && READERS.test(node.expression.getText())) return texts(node.arguments[0]);
  const isSet = ts.isVariableDeclaration(node) && node.name.getText() === 'CLUSTER_VARIABLES';
  return isSet ? literals(node).map(name => `PVE_${name}`) : [];
}

function ofEnvironment(from: ts.Expression, name: ts.Node): string[] {
  if (!/(?:^|\.)env(?:ironment)?$/.test(from.getText())) return [];
  return ts.isStringLiteral(name) ? [name.text] : [name.getText()].filter(text => /^[A-Z_]+$/.test(text));
}

function texts(node: ts.Node | undefined): string[] {
  return node !== undefined && ts.isStringLiteral(node) ? [node.text] : [];
}

function literals(node: ts.Node): string[] {
  return [...texts(node), ...node.getChildren().flatMap(literals)];
}
