// Compares the size of a built package's entries, minified and compressed by gzip, with a budget. Fails above the budget.
// Run in the package. What applications install beside the package does not count.
import { transformSync } from '@swc/core';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { calmEnd } from './calm-end.mjs';

const BUDGETS_KB = { 'dist/index.js': 12, 'dist/forms.js': 8 };
const MINIFY = {
  jsc: { target: 'es2022', minify: { compress: true, mangle: true } },
  minify: true,
  module: { type: 'es6' },
};

for (const [file, limit] of Object.entries(BUDGETS_KB)) {
  const { code } = transformSync(readFileSync(file, 'utf8'), { configFile: false, swcrc: false, ...MINIFY });
  const size = gzipSync(code).length / 1000;
  console.log(`${size > limit ? 'OVER  ' : '      '}${size.toFixed(1).padStart(6)} kB of ${limit}  ${file}`);
  if (size > limit) process.exitCode = 1;
}
await calmEnd();
