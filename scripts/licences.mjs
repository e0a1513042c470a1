/**
 * Reads a CycloneDX SBOM, prints a table of its packages and licences, and fails if a licence is not on the permissive
 * list: `node scripts/licences.mjs SBOM.json`.
 */
import { readFileSync } from 'node:fs';
import { calmEnd } from './calm-end.mjs';

/** SPDX identifiers. docs/dependencies.md names the rule. */
const PERMISSIVE = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
]);

/** Their package.json has the former member `licenses`, which npm does not read. Read in the package at this version. */
const STATED_ELSEWHERE = { 'passport-strategy@1.0.0': 'MIT', 'pause@0.0.1': 'MIT' };

/** The licence of a component as an SPDX expression; empty if it states none. Several entries all apply. */
function licenceOf({ name, version, licenses = [] }) {
  const stated = licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name ?? '');
  return stated.join(' AND ') || (STATED_ELSEWHERE[`${name}@${version}`] ?? '');
}

/** Whether a choice of licences includes a permissive one. Nested expressions are left to a person, and fail. */
function isPermissive(expression) {
  const plain = expression.replace(/^\((.*)\)$/, '$1');
  if (/[()]/.test(plain)) return false;
  const choices = plain.split(/ OR /i);
  return choices.some((choice) => choice.split(/ AND /i).every((id) => PERMISSIVE.has(id.trim())));
}

function report(components) {
  const rows = components.map(({ name, version, purl, ...more }) => ({
    name: decodeURIComponent(purl ?? name).replace(/^pkg:npm\/(.*)@[^@]*$/, '$1'),
    version,
    licence: licenceOf({ name, version, ...more }),
  }));
  return rows.sort((one, other) => (one.name < other.name ? -1 : 1));
}

const [file] = process.argv.slice(2);
if (file === undefined) {
  process.stderr.write('Usage: node scripts/licences.mjs SBOM.json\n');
  process.exitCode = 2;
} else {
  const rows = report(JSON.parse(readFileSync(file, 'utf8')).components ?? []);
  const table = rows.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence || '-'} |`);
  process.stdout.write(['| package | version | licence |', '|---|---|---|', ...table, ''].join('\n'));
  const rejected = rows.filter(({ licence }) => !isPermissive(licence));
  for (const { name, version, licence } of rejected) {
    process.stderr.write(`${name}@${version}: ${licence || 'no licence'} is not on the permissive list\n`);
  }
  if (rows.length === 0) process.stderr.write(`${file} lists no packages\n`);
  if (rejected.length > 0 || rows.length === 0) process.exitCode = 1;
}
await calmEnd();
