/*
 * Measures the queries of the user list on a database with a million users:
 *
 *   npm run build && node bench/user-search.mjs [postgres://… [users]]
 *
 * Creates a temporary database on the server and drops it at the end. Runs EXPLAIN ANALYZE for the statements that the
 * service sends, and prints the slowest of five runs after a warm-up. Fails when a page takes longer than 50 ms.
 */
import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import pg from 'pg';
import { CREW, EVERYBODY, fillUsers } from './lib/filled-database.mjs';

const require = createRequire(import.meta.url);
const { UserListRepository } = require('../dist/user-admin/user-list.repository.js');
const { NEWEST_FIRST, positionIn } = require('../dist/user-admin/user-order.js');
const { AttributeWorkRepository } = require('../dist/users/attributes/attribute-work.repository.js');
const { keysOf } = require('../dist/users/attributes/attribute-value.js');
const { CountEstimateRepository } = require('../dist/platform/lists/index.js');
const { Database } = require('../dist/platform/database/index.js');
const { migrations } = require('../dist/migrations/index.js');

const [server = 'postgres://postgres@127.0.0.1:5432/postgres', size = '1000000'] = process.argv.slice(2);
const users = Number(size);
const RUNS = 5;
const PAGE = 20;
const MAX_MS = 50;
/** As the job does. */
const BATCH = 500;
const BATCHES = 20;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

const ignore = () => undefined;
const log = (line) => process.stdout.write(`${line}\n`);

async function migrate(url) {
  const database = await Database.open({ entities: [], migrations }, { url, onPoolError: ignore, onWaiting: ignore });
  await database.prepare(true, async () => {});
  await database.close();
}

/** The repository with a client that records the statements. */
function recorded(client) {
  const sent = [];
  const query = async (sql, parameters) => {
    sent.push([sql, parameters]);
    return (await client.query(sql, parameters)).rows;
  };
  const replicas = { read: (work) => work({ query }) };
  return { lists: new UserListRepository(replicas, new CountEstimateRepository(replicas)), sent };
}

/**
 * The planning and execution time of the statements in milliseconds, as the database measures it. The slowest run
 * counts.
 */
async function measure(client, statements) {
  let slowest = 0;
  for (let run = 0; run <= RUNS; run++) {
    let total = 0;
    for (const [sql, parameters] of statements.filter(([text]) => !text.startsWith('EXPLAIN'))) {
      const { rows } = await client.query(`EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${sql}`, parameters);
      const [plan] = rows[0]['QUERY PLAN'];
      total += plan['Planning Time'] + plan['Execution Time'];
    }
    if (run > 0) slowest = Math.max(slowest, total);
  }
  return slowest;
}

const keyword = (text, phone) => ({ text, phone });
const filters = [
  ['no filter', {}],
  ['disabled', { status: 'disabled' }],
  ['in the small role', { roleId: CREW }],
  ['in the large role', { roleId: EVERYBODY }],
  ['"u": half of all users', { keyword: keyword('u') }],
  ['"user_": half of all users', { keyword: keyword('user_') }],
  ['"user_00": the oldest users', { keyword: keyword('user_00') }],
  ['"user_0000012": ten of the oldest users', { keyword: keyword('user_0000012') }],
  ['"a": one in 32 users', { keyword: keyword('a') }],
  ['"zzz": no user', { keyword: keyword('zzz') }],
  ['"%": no user', { keyword: keyword('%') }],
  ['"MAIL.": half of all users, by e-mail', { keyword: keyword('MAIL.') }],
  ['"mail.77777@example.com": one user', { keyword: keyword('mail.77777@example.com') }],
  ['"élodie": by nickname', { keyword: keyword('élodie') }],
  ['"张": by nickname', { keyword: keyword('张') }],
  ['"伟": by the second character of a nickname', { keyword: keyword('伟') }],
  ['"ser_": half of all users, inside the username', { keyword: keyword('ser_') }],
  ['"000012": ten of the oldest users and others, inside the username', { keyword: keyword('000012') }],
  ['"77777@ex": one user, inside the e-mail', { keyword: keyword('77777@ex') }],
  ['"+8613800000400": one user, by phone', { keyword: keyword('+8613800000400', '+8613800000400') }],
  ['"user_", disabled', { keyword: keyword('user_'), status: 'disabled' }],
  ['"user_", in the small role', { keyword: keyword('user_'), roleId: CREW }],
  ['"user_", in the large role', { keyword: keyword('user_'), roleId: EVERYBODY }],
  ['attribute: a thousand users', { attribute: { name: 'cost_centre', key: 'c7' } }],
  ['attribute: one user', { attribute: { name: 'employee_no', key: 'e77777' } }],
];

async function report(client) {
  const all = recorded(client);
  const { rows: middle } = await client.query(
    `SELECT id, search_segment AS segment FROM user_account ORDER BY id DESC OFFSET ${Math.floor(users * 0.6)} LIMIT 1`,
  );
  const tooSlow = [];
  log(
    `| ${users.toLocaleString('en')} users, newest first | first page, ms | from the middle, ms | total, ms | found |`,
  );
  log('|---|---|---|---|---|');
  for (const [name, narrowed] of filters) {
    const filter = { sort: NEWEST_FIRST, ...narrowed };
    const times = [];
    const rows = await all.lists.cursorPage(filter, { pageSize: PAGE, limit: PAGE + 1, after: undefined });
    times.push(await measure(client, all.sent.splice(0)));
    await all.lists.cursorPage(filter, { pageSize: PAGE, limit: PAGE + 1, after: positionIn(NEWEST_FIRST, middle[0]) });
    times.push(await measure(client, all.sent.splice(0)));
    const { total, isEstimate } = await all.lists.count(filter);
    const counting = await measure(client, all.sent.splice(0));
    if (Math.max(...times) > MAX_MS) tooSlow.push(name);
    const shown = [...times, counting].map((time) => time.toFixed(1)).join(' | ');
    log(
      `| ${name} | ${shown} | ${rows.length > PAGE ? `${isEstimate ? '≈ ' : ''}${total.toLocaleString('en')}` : rows.length} |`,
    );
  }
  return tooSlow;
}

/** How long a transaction of the job that makes an attribute searchable takes, in milliseconds: logins wait at most as long. */
async function longestBatch(client) {
  const run = (sql, parameters) => client.query(sql, parameters);
  const work = new AttributeWorkRepository({
    rows: async (sql, parameters) => (await run(sql, parameters)).rows,
    affected: async (sql, parameters) => (await run(sql, parameters)).rowCount,
  });
  const attribute = { name: 'cost_centre', isUnique: false, indexedTo: FIRST_ID };
  await run('DELETE FROM user_attribute_key WHERE attribute = $1', [attribute.name]);
  let slowest = 0;
  for (let batch = 0; batch < BATCHES; batch++) {
    const began = performance.now();
    await run('BEGIN');
    const found = await work.nextValues(attribute, BATCH);
    await work.addKeys(
      found.flatMap(({ id: userId, value }) =>
        keysOf(value).map((key) => ({ userId, attribute: attribute.name, key, isUnique: false })),
      ),
    );
    await run('COMMIT');
    attribute.indexedTo = found.at(-1).id;
    slowest = Math.max(slowest, performance.now() - began);
  }
  return slowest;
}

async function main() {
  const name = `castellan_bench_${randomBytes(6).toString('hex')}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  const maintenance = new pg.Client(server);
  await maintenance.connect();
  await maintenance.query(`CREATE DATABASE ${name}`);
  const client = new pg.Client(url.toString());
  try {
    await migrate(url.toString());
    await client.connect();
    await fillUsers(client, users);
    const tooSlow = await report(client);
    log(
      `${BATCHES} batches of ${BATCH} users get their keys of an attribute: ${(await longestBatch(client)).toFixed(0)} ms the slowest`,
    );
    if (tooSlow.length > 0) {
      log(`Slower than ${MAX_MS} ms: ${tooSlow.join('; ')}`);
      process.exitCode = 1;
    }
  } finally {
    await client.end();
    await maintenance.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await maintenance.end();
  }
}

await main();
