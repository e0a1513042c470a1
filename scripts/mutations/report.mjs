import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const isSame = (a, b) => a.file === b.file && a.snippet === b.snippet && a.change === b.change;

/** Survivors with a known reason: `{ file, snippet, change, reason }`. Throws for an entry that matches no mutant. */
export function readExplained(path, mutants) {
  const entries = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : [];
  for (const entry of entries) {
    if (!entry.reason) throw new Error(`${entry.file}: "${entry.snippet}" has no reason`);
    const isOfMutatedFile = mutants.some(({ file }) => file === entry.file);
    if (isOfMutatedFile && !mutants.some((mutant) => isSame(mutant, entry))) {
      throw new Error(`${entry.file}: no mutant "${entry.change}" in "${entry.snippet}"`);
    }
  }
  return (mutant) => entries.find((entry) => isSame(entry, mutant))?.reason;
}

export const lineOf = ({ file, line, kind, result, change, by, seconds }) =>
  [
    result.padEnd(9),
    `${seconds.toFixed(0)} s`.padStart(5),
    `${file}:${line}`,
    kind,
    change.slice(0, 90),
    by ? `✕ ${by}` : '',
  ]
    .filter(Boolean)
    .join('  ');

/** `unexplained`: the share of all tested mutants that no test noticed and that no entry explains. */
export function summaryOf(results) {
  const count = (wanted) => results.filter(({ result }) => result === wanted).length;
  const survivors = results.filter(({ result }) => result === 'survived');
  const unexplained = survivors.filter(({ reason }) => reason === undefined);
  return {
    tested: results.length,
    killed: count('killed'),
    timeout: count('timeout'),
    explained: survivors.length - unexplained.length,
    unexplained: unexplained.length,
    share: results.length === 0 ? 0 : unexplained.length / results.length,
  };
}

export function writeResults(path, results) {
  mkdirSync(dirname(path), { recursive: true });
  const kept = results.map((result) => ({ ...result, text: undefined }));
  writeFileSync(path, `${JSON.stringify({ summary: summaryOf(results), results: kept }, undefined, 2)}\n`);
}

/** A row for each folder and one for all. */
export function printTable(results) {
  const folders = [...new Set(results.map(({ folder }) => folder))].sort();
  const row = ([name, ...cells]) =>
    console.log(name.padEnd(22) + cells.map((cell) => String(cell).padStart(13)).join(''));
  row(['', 'tested', 'killed', 'timeout', 'explained', 'unexplained']);
  for (const name of [...folders, 'all']) {
    const group = results.filter(({ folder }) => name === 'all' || folder === name);
    const { tested, killed, timeout, explained, unexplained } = summaryOf(group);
    row([name, tested, killed, timeout, explained, unexplained]);
  }
}
