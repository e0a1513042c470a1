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
  ts.SyntaxKind.MethodSignature,
  ts.SyntaxKind.PropertyDeclaration,
  ts.SyntaxKind.PropertySignature,
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

/** Terms of a specification: argon2 (RFC 9106) calls its degree of parallelism lanes. */
const ALLOWED_NAMES = new Set(['MAX_LANES', 'lanes']);

/** Declared names that contain a marked word. Property names in object literals and on the wire are not checked. */
export const markedNamesOf = (source) =>
  [...declarationsOf(source)]
    .filter(({ name }) => !ALLOWED_NAMES.has(name.text))
    .map(({ name }) => ({ name: name.text, word: markedPartOf(name.text), line: lineOf(name) }))
    .filter(({ word }) => word !== undefined);

/** Decorators of classes that Nest instantiates. */
const CREATED = /^(Injectable|Catch|\w*Controller)$/;
/** The allowed kinds of injectables: Nest's kinds, and the interfaces of this project that injectables implement. */
const KINDS =
  /(Controller|Service|Repository|Guard|Pipe|Filter|Interceptor|Middleware|Strategy|Cache|Registry|Listener|Subscriber|Job|Client|Factory|Store|Gateway|Handler|Module|Adapter|Method|Check|Action)$/;

/** Injectables without a kind in their name: the bus of domain events is named as in the documentation for hosts. */
const ALLOWED_CLASSES = new Set(['DomainEvents']);

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
      if (ALLOWED_CLASSES.has(name)) return undefined;
      if (!kind) return `${name} has no kind`;
      return new RegExp(`\\.${kebab(kind)}s?\\.ts$`).test(source.fileName)
        ? undefined
        : `${name} needs a file *.${kebab(kind)}.ts`;
    };
    return { name, line: lineOf(node.name), fault: fault() };
  });
}

const DESCRIBES = /^(description|summary)$/;
const LOGS = /(^|[.\w])log\.(debug|info|warn|error)$/i;

/** The text of a literal, of a template without its values, or of literals joined by `+`. */
function literalText(node) {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join(' ');
  }
  if (!ts.isBinaryExpression(node)) return '';
  return `${literalText(node.left)} ${literalText(node.right)}`;
}

/** The description of an OpenAPI decorator, the message of a log line, or the message of an error. */
function messageOf(node) {
  if (ts.isPropertyAssignment(node) && DESCRIBES.test(node.name.getText())) return node.initializer;
  if (ts.isCallExpression(node) && LOGS.test(node.expression.getText())) return node.arguments[0];
  if (ts.isNewExpression(node) && node.expression.getText().endsWith('Error')) return node.arguments?.[0];
  return undefined;
}

/** Texts in code that users or operators read: OpenAPI descriptions, log messages and error messages. */
export function messagesOf(source) {
  const messages = [];
  const visit = (node) => {
    const message = messageOf(node);
    // Code in backticks is not prose.
    const text = message ? literalText(message).replace(/`[^`]*`/g, ' ') : '';
    if (text !== '') messages.push({ text, line: lineOf(message) });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return messages;
}
