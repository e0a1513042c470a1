import ts from 'typescript';
import { markedPartOf } from './marked.mjs';

const DECLARES = new Set([
  ts.SyntaxKind.ClassDeclaration,
  ts.SyntaxKind.FunctionDeclaration,
  ts.SyntaxKind.InterfaceDeclaration,
  ts.SyntaxKind.TypeAliasDeclaration,
  ts.SyntaxKind.EnumDeclaration,
  ts.SyntaxKind.VariableDeclaration,
  ts.SyntaxKind.MethodDeclaration,
  ts.SyntaxKind.PropertyDeclaration,
  ts.SyntaxKind.GetAccessor,
  ts.SyntaxKind.Parameter,
]);
const lineOf = (node) => node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line + 1;

function* declarationsOf(node) {
  if (DECLARES.has(node.kind) && node.name && ts.isIdentifier(node.name)) yield node;
  for (const child of childrenOf(node)) yield* declarationsOf(child);
}

function childrenOf(node) {
  const children = [];
  ts.forEachChild(node, (child) => void children.push(child));
  return children;
}

/** Declared names that contain a marked word. Property names in object literals and on the wire are not checked. */
export const markedNamesOf = (source) =>
  [...declarationsOf(source)]
    .map(({ name }) => ({ name: name.text, word: markedPartOf(name.text), line: lineOf(name) }))
    .filter(({ word }) => word !== undefined);

/** Decorators of classes that Nest instantiates. */
const CREATED = /^(Injectable|Catch|\w*Controller)$/;
/** The allowed kinds of injectables: Nest's kinds, and the interfaces of this project that injectables implement. */
const KINDS =
  /(Controller|Service|Repository|Guard|Pipe|Filter|Interceptor|Middleware|Strategy|Cache|Registry|Listener|Subscriber|Job|Client|Factory|Store|Gateway|Handler|Module|Adapter|Method|Check|Action)$/;

const kebab = (name) => name.replace(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '-').toLowerCase();

const isCreated = (node) =>
  (ts.getDecorators(node) ?? []).some(
    ({ expression }) => ts.isCallExpression(expression) && CREATED.test(expression.expression.getText()),
  );

/** The classes that Nest instantiates, each with the fault in its name or file name. */
export function injectablesOf(source) {
  const created = [...declarationsOf(source)].filter((node) => ts.isClassDeclaration(node) && isCreated(node));
  return created.map((node) => {
    const name = node.name.text;
    const kind = KINDS.exec(name)?.[0];
    const fault = () => {
      if (!kind) return `${name} has no kind`;
      return new RegExp(`\\.${kebab(kind)}s?\\.ts$`).test(source.fileName)
        ? undefined
        : `${name} needs a file *.${kebab(kind)}.ts`;
    };
    return { name, line: lineOf(node.name), fault: fault() };
  });
}
