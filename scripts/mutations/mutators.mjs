import ts from 'typescript';

const { SyntaxKind } = ts;

const OPPOSITES = new Map([
  [SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [SyntaxKind.EqualsEqualsToken, '!='],
  [SyntaxKind.ExclamationEqualsToken, '=='],
  [SyntaxKind.LessThanToken, '<='],
  [SyntaxKind.LessThanEqualsToken, '<'],
  [SyntaxKind.GreaterThanToken, '>='],
  [SyntaxKind.GreaterThanEqualsToken, '>'],
  [SyntaxKind.AmpersandAmpersandToken, '||'],
  [SyntaxKind.BarBarToken, '&&'],
]);
/** Larger numbers are doubled, because one more millisecond or byte changes nothing that a test could see. */
const MAX_INCREMENTED = 100;
const IS_LOG = /^this\.(log|logger)\./;

/**
 * The mutants of a file: `{ line, kind, snippet, change, text }`. `snippet` is the changed source line, `text` the whole
 * file with the change.
 */
export function mutantsOf(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
  return [...editsOf(source)].map(({ node, kind, to }) => {
    const [start, end] = [node.getStart(), node.getEnd()];
    return {
      file,
      line: source.getLineAndCharacterOfPosition(start).line + 1,
      kind,
      snippet: linesAround(text, start, end),
      change: `${collapsed(text.slice(start, end))} → ${to === ';' ? 'nothing' : to}`,
      text: text.slice(0, start) + to + text.slice(end),
    };
  });
}

/** Whether the mutated text can be transpiled. */
export const isSyntaxValid = ({ file, text }) =>
  ts.transpileModule(text, {
    fileName: file,
    reportDiagnostics: true,
    compilerOptions: { experimentalDecorators: true },
  }).diagnostics.length === 0;

function* editsOf(node) {
  if (isOutsideBehaviour(node)) return;
  for (const mutate of [condition, call, operator, boolean, guard, number, string]) {
    const edit = mutate(node);
    if (edit) yield edit;
  }
  const children = [];
  ts.forEachChild(node, (child) => void children.push(child));
  for (const child of children) yield* editsOf(child);
}

/** Types, imports, decorators, lines of the log, messages of exceptions for developers, and names of jobs. */
const isOutsideBehaviour = (node) =>
  ts.isTypeNode(node) ||
  ts.isImportDeclaration(node) ||
  ts.isExportDeclaration(node) ||
  ts.isDecorator(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  (ts.isExpressionStatement(node) && IS_LOG.test(node.expression.getText())) ||
  (ts.isNewExpression(node) && /Error$/.test(node.expression.getText())) ||
  isNameOfJob(node);

/** The name beside a `run` function: shown in the log and in metrics. */
const isNameOfJob = (node) =>
  ts.isPropertyAssignment(node) &&
  node.name.getText() === 'name' &&
  node.parent.properties.some(({ name }) => name?.getText() === 'run');

function condition(node) {
  const isBranch = ts.isIfStatement(node) || ts.isWhileStatement(node);
  const test = isBranch ? node.expression : ts.isConditionalExpression(node) ? node.condition : undefined;
  return test && { node: test, kind: 'negated condition', to: `!(${collapsed(test.getText())})` };
}

function call(node) {
  if (!ts.isExpressionStatement(node)) return undefined;
  const inner = ts.isAwaitExpression(node.expression) ? node.expression.expression : node.expression;
  if (!ts.isCallExpression(inner) || inner.expression.kind === SyntaxKind.SuperKeyword) return undefined;
  return { node, kind: 'dropped call', to: ';' };
}

function operator(node) {
  if (!ts.isBinaryExpression(node)) return undefined;
  const to = OPPOSITES.get(node.operatorToken.kind);
  return to && { node: node.operatorToken, kind: 'flipped operator', to };
}

function boolean(node) {
  if (node.kind === SyntaxKind.TrueKeyword) return { node, kind: 'flipped boolean', to: 'false' };
  return node.kind === SyntaxKind.FalseKeyword ? { node, kind: 'flipped boolean', to: 'true' } : undefined;
}

function guard(node) {
  if (!ts.isIfStatement(node) || node.elseStatement) return undefined;
  const last = ts.isBlock(node.thenStatement) ? node.thenStatement.statements.at(-1) : node.thenStatement;
  const leaves = last && (ts.isReturnStatement(last) || ts.isThrowStatement(last));
  return leaves ? { node, kind: 'removed guard', to: ';' } : undefined;
}

function number(node) {
  if (!ts.isNumericLiteral(node)) return undefined;
  const value = Number(node.text);
  const to = value === 1 ? 0 : value <= MAX_INCREMENTED ? value + 1 : value * 2;
  return { node, kind: 'changed number', to: String(to) };
}

function string(node) {
  const isName = node.parent && ts.isPropertyAssignment(node.parent) && node.parent.name === node;
  if (!ts.isStringLiteral(node) || node.text === '' || isName) return undefined;
  return { node, kind: 'emptied string', to: "''" };
}

const collapsed = (text) => text.replace(/\s+/g, ' ').trim();

function linesAround(text, start, end) {
  const from = text.lastIndexOf('\n', start) + 1;
  const to = text.indexOf('\n', end);
  return collapsed(text.slice(from, to < 0 ? undefined : to));
}
