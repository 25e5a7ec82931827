import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const folder = path.resolve(__dirname, '..', '..', 'constructs');
const declarations = new Map(
  readdirSync(folder)
    .filter(file => file.endsWith('.ts'))
    .flatMap(file => {
      const text = readFileSync(path.join(folder, file), 'utf8');
      return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true).statements;
    })
    .filter(node => ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node))
    .map(node => [node.name.text, node] as const),
);

/** Every field that an interface of the constructs has, as paths written as `schemaFields` writes them. */
export function propsFields(name: string): string[] {
  return fieldsOf(name, '');
}

function fieldsOf(name: string, at: string): string[] {
  const found = declarations.get(name);
  if (found === undefined || !ts.isInterfaceDeclaration(found))
    throw new Error(`there is no interface ${name}`);
  const inherited = (found.heritageClauses ?? []).flatMap(({ types }) => types);
  const own = found.members.filter(ts.isPropertySignature);
  return [
    ...inherited.flatMap(({ expression }) => fieldsOf(expression.getText(), at)),
    ...own.flatMap(({ name: field, type }) =>
      ofType(type!, at === '' ? field.getText() : `${at}.${field.getText()}`),
    ),
  ];
}

/** A type of several alternatives is a plain value when one of them is. */
function ofType(type: ts.TypeNode, at: string): string[] {
  const alternatives = ts.isUnionTypeNode(type) ? [...type.types] : [type];
  return [...new Set(alternatives.flatMap(one => ofAlternative(one, at)))];
}

function ofAlternative(type: ts.TypeNode, at: string): string[] {
  if (ts.isTypeOperatorNode(type) || ts.isParenthesizedTypeNode(type)) return ofType(type.type, at);
  if (ts.isArrayTypeNode(type)) {
    const inner = ofType(type.elementType, `${at}[]`);
    return inner.length === 1 && inner[0] === `${at}[]` ? [at] : inner;
  }
  const name = ts.isTypeReferenceNode(type) ? type.typeName.getText() : undefined;
  const found = name === undefined ? undefined : declarations.get(name);
  return found !== undefined && ts.isInterfaceDeclaration(found) ? fieldsOf(found.name.text, at) : [at];
}
