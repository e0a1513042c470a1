import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const ACTION = /^[a-z_]+(?:\.[a-z_]+)?$/;
/** A condition of SQL or of an address on the action of an audit event. */
const CONDITION = /\baction\s*=\s*'?([a-z_]+(?:\.[a-z_]+)?)/g;
const FAILURE = / failure$/;

function parse(folder: string, isWanted: (path: string) => boolean): ts.SourceFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && isWanted(path))
    .map((path) => [join(folder, path), readFileSync(join(folder, path), 'utf8')] as const)
    .filter(([, text]) => /\b(?:action|expect)\b/.test(text))
    .map(([path, text]) => ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
}

function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node);
  node.forEachChild((child) => {
    visit(child, see);
  });
}

function isExpectation(call: ts.CallExpression): boolean {
  let root: ts.Expression = call;
  while (ts.isCallExpression(root) || ts.isPropertyAccessExpression(root)) root = root.expression;
  return ts.isIdentifier(root) && root.text === 'expect';
}

const isTable = ({ expression }: ts.CallExpression): boolean =>
  ts.isPropertyAccessExpression(expression) && expression.name.text === 'each';

/** Whether the text is in an expectation, or in a table of tests. */
function isExpected(text: ts.Node): boolean {
  for (let node = text.parent; !ts.isSourceFile(node); node = node.parent) {
    if (ts.isCallExpression(node) && (isExpectation(node) || isTable(node))) return true;
  }
  return false;
}

/** The actions that tests expect, and those of the events they look for in the log. */
export function expectedActionsOf(folder: string): Set<string> {
  const expected = new Set<string>();
  for (const file of parse(folder, (path) => !path.startsWith('support'))) {
    visit(file, (node) => {
      if (!ts.isStringLiteralLike(node) && !ts.isTemplateExpression(node)) return;
      for (const [, action = ''] of node.getText().matchAll(CONDITION)) expected.add(action);
      if (!ts.isStringLiteralLike(node)) return;
      const action = node.text.replace(FAILURE, '');
      if (ACTION.test(action) && !expected.has(action) && isExpected(node)) expected.add(action);
    });
  }
  return expected;
}
