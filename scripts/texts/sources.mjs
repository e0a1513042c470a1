import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

const isSource = (file) => /\.tsx?$/.test(file) && !/\.(spec|d)\.tsx?$/.test(file) && !file.endsWith('schema.ts');

/** The parsed source files in a folder, without generated files and tests. */
export function sourcesUnder(root, folder) {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(isSource)
    .map((file) => {
      const path = join(root, folder, file);
      const text = readFileSync(path, 'utf8');
      return ts.createSourceFile(relative(root, path), text, ts.ScriptTarget.Latest, true);
    });
}

export function* nodesOf(node) {
  yield node;
  for (const child of node.getChildren()) yield* nodesOf(child);
}

export function placeOf(node) {
  const source = node.getSourceFile();
  return `${source.fileName}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
}

/** A regular expression for a template: each substitution matches one part of a key. */
export function patternOf(template) {
  const parts = [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)];
  return parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('[^.]+');
}
