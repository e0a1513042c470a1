import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const ACTION = /^[a-z_]+(?:\.[a-z_]+)?$/;
/** A condition of SQL or of an address on the action of an audit event. */
const CONDITION = /\baction\s*=\s*'?([a-z_]+(?:\.[a-z_]+)?)/g;
const FAILURE = / failure$/;
/** Names actions to check the search, not the service. */
const WALK = 'audit-actions.spec.ts';
/** Has an option of this name, to filter events. */
const FILTER = join('cli', 'audit.commands.ts');

export interface AuditActions {
  readonly actions: ReadonlySet<string>;
  /** Places that give an action in a form that is not understood here. */
  readonly unknown: readonly string[];
}

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

const isNamedAction = (name: ts.Node | undefined): boolean =>
  name !== undefined && ts.isIdentifier(name) && name.text === 'action';

/** What a property, a variable or a parameter named `action` is set to. */
function valueOf(node: ts.Node): ts.Expression | undefined {
  const isSet =
    ts.isPropertyAssignment(node) ||
    ts.isVariableDeclaration(node) ||
    ts.isBindingElement(node) ||
    ts.isParameter(node);
  if (!isSet || !isNamedAction(node.name)) return undefined;
  // An object describes something else that has a member `action`.
  return node.initializer && ts.isObjectLiteralExpression(node.initializer) ? undefined : node.initializer;
}

const isPrivate = (node: ts.MethodDeclaration): boolean =>
  node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword) ?? false;

/** The positions of the parameters named `action`, by method. A private method is named with its file. */
function takersOf(files: readonly ts.SourceFile[]): Map<string, number> {
  const takers = new Map<string, number>();
  for (const file of files) {
    visit(file, (node) => {
      if (!ts.isMethodDeclaration(node)) return;
      const position = node.parameters.findIndex(({ name }) => isNamedAction(name));
      const name = node.name.getText();
      if (position >= 0) takers.set(isPrivate(node) ? `${file.fileName} ${name}` : name, position);
    });
  }
  return takers;
}

function argumentOf(node: ts.Node, takers: ReadonlyMap<string, number>): ts.Expression | undefined {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  const { expression: owner, name } = node.expression;
  const isOwn = owner.kind === ts.SyntaxKind.ThisKeyword;
  const position =
    (isOwn ? takers.get(`${node.getSourceFile().fileName} ${name.text}`) : undefined) ?? takers.get(name.text);
  return position === undefined ? undefined : node.arguments[position];
}

const isPassedOn = (expression: ts.Expression): boolean =>
  ts.isIdentifier(expression) || ts.isPropertyAccessExpression(expression) || ts.isElementAccessExpression(expression);

/** The texts that the expression can be. Undefined if it is neither a text nor passed on from another place. */
function textsOf(expression: ts.Expression): string[] | undefined {
  if (ts.isStringLiteral(expression)) return [expression.text];
  if (isPassedOn(expression)) return [];
  if (!ts.isConditionalExpression(expression)) return undefined;
  const [one, other] = [textsOf(expression.whenTrue), textsOf(expression.whenFalse)];
  return one && other && [...one, ...other];
}

/** The actions of all audit events that the source can write. */
export function auditActionsOf(folder: string): AuditActions {
  const files = parse(folder, (path) => !path.endsWith('.spec.ts') && !path.startsWith('testing') && path !== FILTER);
  const takers = takersOf(files);
  const actions = new Set<string>();
  const unknown: string[] = [];
  for (const file of files) {
    visit(file, (node) => {
      const expression = valueOf(node) ?? argumentOf(node, takers);
      if (!expression) return;
      const texts = textsOf(expression);
      if (!texts) unknown.push(`${file.fileName}: ${node.getText().slice(0, 80)}`);
      for (const text of texts ?? []) if (ACTION.test(text)) actions.add(text);
    });
  }
  return { actions, unknown };
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
  for (const file of parse(folder, (path) => !path.startsWith('support') && !path.endsWith(WALK))) {
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
