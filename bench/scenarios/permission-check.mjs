/*
 * The duration of one permission check in memory, as the guard makes it: the median of the rounds, in nanoseconds. Runs
 * as a separate script, so that other code does not influence V8's optimizations.
 */
import { createRequire } from 'node:module';
import { median } from '../lib/statistics.mjs';

const require = createRequire(new URL('../../package.json', import.meta.url));
require('reflect-metadata');
const { GrantSet, grantOf, parsePermissionCode } = require('./dist/rbac/permission/index.js');

const HELD = 100;
const BATCH = 1_000_000;
const ROUNDS = 7;
const codeOf = (index) => parsePermissionCode(`thing${index}:update`, 'iam');
const held = new GrantSet(Array.from({ length: HELD }, (_, index) => grantOf(codeOf(index), 3)));
const asked = Array.from({ length: 2 * HELD }, (_, index) => codeOf(index));

let allowed = 0;
const times = [];
for (let round = 0; round <= ROUNDS; round++) {
  const from = process.hrtime.bigint();
  for (let index = 0; index < BATCH; index++) if (held.allows(asked[index % asked.length])) allowed++;
  if (round > 0) times.push(Number(process.hrtime.bigint() - from) / BATCH);
}
if (allowed !== (BATCH / 2) * (ROUNDS + 1)) throw new Error(`${allowed} checks were allowed`);
process.stdout.write(`${median(times)}\n`);
