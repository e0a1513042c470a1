import ts from 'typescript';

const COMMENT = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;
/** Directives for tools, which are not comments for readers. */
const DIRECTIVE = /^\s*(@ts-|eslint-|prettier-|istanbul |c8 |<reference|@vite|#__PURE__|@jest-environment)/;

/** Every token with the whitespace and comments before it. Skips JSX text, which can contain `//`. */
function* tokensOf(node) {
  if (node.kind >= ts.SyntaxKind.FirstJSDocNode && node.kind <= ts.SyntaxKind.LastJSDocNode) return;
  const children = node.getChildren();
  if (children.length > 0) for (const child of children) yield* tokensOf(child);
  else if (node.kind !== ts.SyntaxKind.JsxText) yield node;
}

const plain = (comment) =>
  comment
    .replace(/^\/\*+|\*+\/$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*(\*|\/\/)\s?/, ''))
    .join('\n');

/** The comments of a source file: text, first line, number of lines, and whether it is a docstring. */
export function commentsOf(source) {
  const comments = [];
  for (const token of tokensOf(source)) {
    const start = token.getFullStart();
    for (const { 0: comment, index } of source.text.slice(start, token.getStart(source)).matchAll(COMMENT)) {
      const text = plain(comment);
      if (DIRECTIVE.test(text)) continue;
      const line = source.getLineAndCharacterOfPosition(start + index).line + 1;
      const lines = text.split('\n').length;
      const last = comments.at(-1);
      if (comment.startsWith('//') && last?.isLine && last.line + last.lines === line) {
        last.text += `\n${text}`;
        last.lines += 1;
      } else comments.push({ text, line, lines, isLine: comment.startsWith('//'), isDoc: comment.startsWith('/**') });
    }
  }
  return comments;
}

const TEST = /^(describe|it|test)(\.\w+)*$/;

/** The name of a test or a test group, if it is a literal. */
function testName(node) {
  if (!ts.isCallExpression(node)) return undefined;
  const called = ts.isCallExpression(node.expression) ? node.expression.expression : node.expression;
  const [name] = node.arguments;
  if (!name || !ts.isStringLiteralLike(name) || !TEST.test(called.getText().replace(/<[\s\S]*/, ''))) return undefined;
  return name;
}

export function testNamesOf(source) {
  const names = [];
  const visit = (node) => {
    const name = testName(node);
    if (name) names.push({ text: name.text, line: source.getLineAndCharacterOfPosition(name.getStart()).line + 1 });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return names;
}

export const parse = (path, text) => ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
