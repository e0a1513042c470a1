/*
 * Replaces expectations of a problem by `expectProblem(response, status, code)` in the specs of a folder:
 * `node scripts/codemods/expect-problem.mjs [test/e2e]`. Run prettier and eslint after it. It rewrites
 *   expect(X.status).toBe(403); expect(X.body.code).toBe('c')       (neighbours, in either order)
 *   expect([X.status, X.body.code]).toEqual([403, 'c'])
 *   expect(X).toMatchObject({ status: 403, body: { code: 'c' } })
 *   expect(X.body).toMatchObject({ status: 403, code: 'c' })
 *   expect(outcome(X)).toBe('403 c') and expect(errorOf(X)).toEqual([403, 'c'])
 *   expect(X.body.code).toBe('c') and expect(X.body).toMatchObject({ code: 'c' }), with the status that the code declares
 * and removes imports of `outcome` and `errorOf` that are no longer used.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '../..');
const folder = process.argv[2] ?? 'test/e2e';

const below = (path) =>
  readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));

/** The status of each code, where all declarations agree. */
function declaredStatuses() {
  const found = new Map();
  for (const file of below('src').filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))) {
    for (const [, body] of readFileSync(file, 'utf8').matchAll(/defineErrors\(\{([^}]*)\}/g)) {
      for (const [, name, status] of body.matchAll(/(\w+): (\d{3})/g)) {
        const code = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
        found.set(code, found.has(code) && found.get(code) !== status ? undefined : status);
      }
    }
  }
  return found;
}

const statuses = declaredStatuses();

const plain = (node) => (node && ts.isParenthesizedExpression(node) ? plain(node.expression) : node);
const isString = (node) => node !== undefined && ts.isStringLiteral(node);
const isError = (node) => node !== undefined && ts.isNumericLiteral(node) && /^[45]\d\d$/.test(node.text);

/** `expect(actual).matcher(wanted)` as a statement. */
function expectation(statement) {
  if (statement === undefined || !ts.isExpressionStatement(statement)) return undefined;
  const call = statement.expression;
  if (!ts.isCallExpression(call) || call.arguments.length !== 1 || !ts.isPropertyAccessExpression(call.expression))
    return;
  const inner = call.expression.expression;
  if (!ts.isCallExpression(inner) || inner.expression.getText() !== 'expect' || inner.arguments.length !== 1) return;
  return { matcher: call.expression.name.text, actual: plain(inner.arguments[0]), wanted: call.arguments[0] };
}

/** `X` of `X.path`. */
function ownerOf(node, ...path) {
  for (const name of path.reverse()) {
    node = plain(node);
    if (!node || !ts.isPropertyAccessExpression(node) || node.name.text !== name) return undefined;
    node = node.expression;
  }
  return plain(node);
}

/** The members of an object literal, if these are all it has. */
function members(node, ...names) {
  if (!node || !ts.isObjectLiteralExpression(node) || node.properties.length !== names.length) return undefined;
  const found = names.map((name) => node.properties.find((member) => member.name?.getText() === name));
  return found.every((member) => member && ts.isPropertyAssignment(member))
    ? found.map(({ initializer }) => initializer)
    : undefined;
}

const helper = (node, name) =>
  node && ts.isCallExpression(node) && node.expression.getText() === name && node.arguments.length === 1
    ? node.arguments[0]
    : undefined;

function ofPair(found) {
  const { matcher, actual, wanted } = found;
  if (matcher !== 'toEqual' || !ts.isArrayLiteralExpression(wanted) || wanted.elements.length !== 2) return undefined;
  const [status, code] = wanted.elements;
  if (!isError(status) || !isString(code)) return undefined;
  const response = helper(actual, 'errorOf') ?? ofTuple(actual);
  return response && { response, status: status.text, code };
}

/** `X` of `[X.status, X.body.code]`, or `{ status, body }` of `[status, body.code]`. */
function ofTuple(node) {
  if (!ts.isArrayLiteralExpression(node) || node.elements.length !== 2) return undefined;
  const [status, code] = node.elements;
  if (status.getText() === 'status' && code.getText() === 'body.code') return '{ status, body }';
  const owner = ownerOf(status, 'status');
  return owner && ts.isIdentifier(owner) && owner.getText() === ownerOf(code, 'body', 'code')?.getText()
    ? owner
    : undefined;
}

function ofText({ matcher, actual, wanted }) {
  const response = helper(actual, 'outcome');
  if (!response || matcher !== 'toBe' || !isString(wanted)) return undefined;
  const [, status, code] = /^([45]\d\d) ([a-z_]+)$/.exec(wanted.text) ?? [];
  return code && { response, status, code: `'${code}'` };
}

function ofObject({ matcher, actual, wanted }) {
  if (matcher !== 'toMatchObject') return undefined;
  const [status, body] = members(wanted, 'status', 'body') ?? [];
  const [code] = members(body, 'code') ?? [];
  if (isError(status) && isString(code)) return { response: actual, status: status.text, code };
  return ofBody(ownerOf(actual, 'body'), wanted);
}

function ofBody(response, wanted) {
  if (!response) return undefined;
  const [status, code] = members(wanted, 'status', 'code') ?? [];
  if (isError(status) && isString(code)) return { response, status: status.text, code };
  const [only] = members(wanted, 'code') ?? [];
  return ofCode(response, only);
}

function ofCode(response, code) {
  const status = isString(code) ? statuses.get(code.text) : undefined;
  return response && status && { response, status, code };
}

const problemOf = (found) =>
  ofPair(found) ??
  ofText(found) ??
  ofObject(found) ??
  (found.matcher === 'toBe' ? ofCode(ownerOf(found.actual, 'body', 'code'), found.wanted) : undefined);

/** Two neighbours, of which one expects the status and the other the code of one variable. */
function problemOfBoth(first, second) {
  if (!first || !second || first.matcher !== 'toBe' || second.matcher !== 'toBe') return undefined;
  for (const [one, other] of [
    [first, second],
    [second, first],
  ]) {
    const owner = ownerOf(one.actual, 'status');
    if (!owner || !ts.isIdentifier(owner) || !isError(one.wanted) || !isString(other.wanted)) continue;
    if (ownerOf(other.actual, 'body', 'code')?.getText() !== owner.getText()) continue;
    return { response: owner, status: one.wanted.text, code: other.wanted };
  }
  return undefined;
}

const textOf = (part) => (typeof part === 'string' ? part : part.getText());
const written = ({ response, status, code }) => `expectProblem(${textOf(response)}, ${status}, ${textOf(code)});`;

function editsOf(source) {
  const edits = [];
  const visit = (node) => {
    const statements = [...(node.statements ?? [])];
    for (let at = 0; at < statements.length; at++) {
      const [found, next] = [expectation(statements[at]), expectation(statements[at + 1])];
      const both = problemOfBoth(found, next);
      const problem = both ?? (found && problemOf(found));
      if (!problem) continue;
      const end = statements[both ? ++at : at].getEnd();
      edits.push({ start: statements[both ? at - 1 : at].getStart(), end, text: written(problem) });
    }
    // The only statement of a loop or a condition, without braces.
    if (ts.isExpressionStatement(node) && !node.parent.statements) {
      const problem = problemOf(expectation(node) ?? {});
      if (problem) edits.push({ start: node.getStart(), end: node.getEnd(), text: written(problem) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return edits.sort((a, b) => b.start - a.start);
}

const withoutName = (text, name) =>
  text.match(new RegExp(`\\b${name}\\b(?! = )`, 'g'))?.length === 1
    ? text
        .replace(new RegExp(`^import \\{ ${name} \\} from .*\\n`, 'm'), '')
        .replace(new RegExp(`(import \\{[^}]*?)(, ${name}\\b(?=[^}]*\\} from)|\\b${name}, )`), '$1')
    : text;

function withImport(text, file) {
  if (/import .*expectProblem/.test(text)) return text;
  const from = relative(dirname(file), join(root, 'test/support/expect-problem'));
  const line = `import { expectProblem } from '${from}';\n`;
  const imports = [...text.matchAll(/^(?:import [^;]*?|\} )from '(.*)';\n/gm)];
  const after = imports.findLast(([, path]) => path < from && path.startsWith('../')) ?? imports.at(-1);
  const at = after.index + after[0].length;
  return text.slice(0, at) + line + text.slice(at);
}

let changes = 0;
for (const file of below(folder).filter((path) => path.endsWith('.spec.ts'))) {
  const original = readFileSync(file, 'utf8');
  const edits = editsOf(ts.createSourceFile(file, original, ts.ScriptTarget.ES2023, true));
  if (edits.length === 0) continue;
  let text = original;
  for (const { start, end, text: to } of edits) text = text.slice(0, start) + to + text.slice(end);
  for (const name of ['outcome', 'errorOf']) text = withoutName(text, name);
  writeFileSync(file, withImport(text, file));
  changes += edits.length;
}
console.log(`${changes} expectations`);
