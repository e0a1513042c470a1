import ts from 'typescript';
import { nodesOf } from './sources.mjs';

const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * The words in the sources: identifiers, the parts of literals such as `role:read`, and the starts of templates like
 * `params.`.
 */
function writtenIn(sources) {
  const words = new Set();
  const starts = new Set();
  for (const node of sources.flatMap((source) => [...nodesOf(source)])) {
    if (ts.isIdentifier(node)) words.add(node.text).add(snake(node.text));
    else if ('text' in node && typeof node.text === 'string') {
      for (const word of node.text.split(/[^\w-]+/)) words.add(word);
      if (ts.isTemplateHead(node) && /^\w+\.$/.test(node.text)) starts.add(node.text.replace('.', '_'));
    }
  }
  return { words, starts: [...starts] };
}

/**
 * Finds keys that the service cannot use, because one of their parts appears nowhere in the source. The service builds
 * its keys from codes and ids, so this check cannot find missing keys. A test that loads every declaration does.
 */
export function serverFaults(sources, sections) {
  const { words, starts } = writtenIn(sources);
  const isWritten = (part) =>
    words.has(part) || starts.some((start) => part.startsWith(start) && words.has(part.slice(start.length)));
  return [...sections].flatMap(([section, texts]) =>
    [...texts.keys()]
      .filter((key) => !key.split(/[./]/).every(isWritten))
      .map((key) => `${section}.json: nothing in src uses ${key}`),
  );
}
