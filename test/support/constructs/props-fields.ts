import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const folder = path.resolve(__dirname, '..', '..', '..', 'constructs');
const declarations = new Map(
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts') && !file.startsWith('private'))
    .flatMap(file => {
      const text = readFileSync(path.join(folder, file), 'utf8');
      return [...ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true).statements];
    })
    .filter(node => ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node))
    .map(node => [node.name.text, node] as const),
);

interface Place {
  path: string;
  /** A word that may stand there. */
  word?: string;
}

/** Every field that an interface of the constructs has, as paths written as `schemaFields` writes them. */
export function propsFields(name: string): string[] {
  return [...new Set(placesOf(name, '').map(place => place.path))];
}

/** The words that a field may be, by its path. */
export function propsChoices(name: string): Record<string, string[]> {
  const choices: Record<string, string[]> = {};
  for (const { path: at, word } of placesOf(name, '')) {
    if (word !== undefined) choices[at] = [...(choices[at] ?? []), word].sort();
  }
  return choices;
}

/** The optional fields of all interfaces that do not say their default, and what is exported without a word. */
export function undocumented(): string[] {
  return [...declarations].flatMap(([name, node]) => [
    ...(ts.getJSDocCommentsAndTags(node).length === 0 ? [name] : []),
    ...(ts.isInterfaceDeclaration(node) ? node.members.filter(ts.isPropertySignature) : [])
      .filter(field => {
        const tags = ts.getJSDocTags(field).map(({ tagName }) => tagName.text);
        const says = ts.getJSDocCommentsAndTags(field).length > 0;
        return !says || (field.questionToken !== undefined && !tags.includes('default'));
      })
      .map(field => `${name}.${field.name.getText()}`),
  ]);
}

function placesOf(name: string, at: string): Place[] {
  const found = declarations.get(name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  if (ts.isTypeAliasDeclaration(found)) return ofType(found.type, at);
  const inherited = (found.heritageClauses ?? []).flatMap(({ types }) => types);
  const own = found.members.filter(ts.isPropertySignature);
  return [
    ...inherited.flatMap(({ expression }) => placesOf(expression.getText(), at)),
    ...own.flatMap(({ name: field, type }) =>
      ofType(type!, at === '' ? field.getText() : `${at}.${field.getText()}`),
    ),
  ];
}

function ofType(type: ts.TypeNode, at: string): Place[] {
  if (ts.isUnionTypeNode(type)) return type.types.flatMap(one => ofType(one, at));
  if (ts.isTypeOperatorNode(type) || ts.isParenthesizedTypeNode(type)) return ofType(type.type, at);
  if (ts.isArrayTypeNode(type)) {
    const entries = ofType(type.elementType, `${at}[]`);
    return entries.map(entry => (entry.path === `${at}[]` ? { ...entry, path: at } : entry));
  }
  if (ts.isLiteralTypeNode(type) && ts.isStringLiteral(type.literal))
    return [{ path: at, word: type.literal.text }];
  const name = ts.isTypeReferenceNode(type) ? type.typeName.getText() : '';
  return declarations.has(name) ? placesOf(name, at) : [{ path: at }];
}
