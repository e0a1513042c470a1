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

/** Declared names that hold a marked word. What an object literal or the wire calls its fields is not judged. */
export const markedNamesOf = (source) =>
  [...declarationsOf(source)]
    .map(({ name }) => ({ name: name.text, word: markedPartOf(name.text), line: lineOf(name) }))
    .filter(({ word }) => word !== undefined);

/** Decorators that make a class one that Nest creates. */
const CREATED = /^(Injectable|Catch|\w*Controller)$/;
/** What an injectable may be: Nest's kinds, and the ports of ours whose name is the kind of those that implement them. */
const KINDS =
  /(Controller|Service|Repository|Guard|Pipe|Filter|Interceptor|Middleware|Strategy|Cache|Registry|Listener|Subscriber|Job|Client|Factory|Store|Gateway|Handler|Module|Adapter|Method|Check|Action)$/;

const kebab = (name) => name.replace(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '-').toLowerCase();

const isCreated = (node) =>
  (ts.getDecorators(node) ?? []).some(
    ({ expression }) => ts.isCallExpression(expression) && CREATED.test(expression.expression.getText()),
  );

/** The classes that Nest creates, each with what is wrong with its name or its file's. */
export function injectablesOf(source) {
  const created = [...declarationsOf(source)].filter((node) => ts.isClassDeclaration(node) && isCreated(node));
  return created.map((node) => {
    const name = node.name.text;
    const kind = KINDS.exec(name)?.[0];
    const fault = () => {
      if (!kind) return `${name} has no kind`;
      return new RegExp(`\\.${kebab(kind)}s?\\.ts$`).test(source.fileName)
        ? undefined
        : `${name} wants a file *.${kebab(kind)}.ts`;
    };
    return { name, line: lineOf(node.name), fault: fault() };
  });
}
