import ts from 'typescript';
import { nodesOf } from './sources.mjs';

const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** What the sources write: names, the parts of literals such as `role:read`, and the starts of templates like `params.`. */
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
 * Keys the service cannot ask for, as some part of them is written nowhere in it. Its keys are made of codes and ids, so
 * more cannot be said from the outside; that none it asks for is missing is held by a test that loads every declaration.
 */
export function serverFaults(sources, sections) {
  const { words, starts } = writtenIn(sources);
  const isWritten = (part) =>
    words.has(part) || starts.some((start) => part.startsWith(start) && words.has(part.slice(start.length)));
  return [...sections].flatMap(([section, texts]) =>
    [...texts.keys()]
      .filter((key) => !key.split('.').every(isWritten))
      .map((key) => `${section}.json: nothing in src uses ${key}`),
  );
}
