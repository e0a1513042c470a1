import { readFileSync } from 'node:fs';

/** The steps of a Dockerfile, with the default values of its arguments: `{ instruction, text }`. */
export function readDockerfile(path) {
  const lines = readFileSync(path, 'utf8').replaceAll(/\\\n/g, ' ').split('\n');
  const values = {};
  const steps = [];
  for (const line of lines.map((each) => each.trim())) {
    if (line === '' || line.startsWith('#')) continue;
    const [, instruction, text] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (instruction === undefined) throw new Error(`Not an instruction: ${line}`);
    if (instruction !== 'ARG') steps.push({ instruction, text: filledIn(text, values) });
    else if (text.includes('=')) values[text.slice(0, text.indexOf('='))] = text.slice(text.indexOf('=') + 1);
  }
  return steps;
}

/** Only names of arguments: a shell or a script replaces the other variables. */
const filledIn = (text, values) => text.replace(/\$\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
