// The built service and access to its API.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { Browser } from './browser.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
export const PASSWORD = 'correct horse battery staple';

/** Creates a private database on the server of `TEST_DATABASE_URL`. Without it the embedded database is used. */
async function createDatabase() {
  const server = process.env.TEST_DATABASE_URL;
  if (server === undefined) return { environment: {}, drop: async () => undefined };
  const name = `castellan_clients_${process.pid}`;
  const run = async (sql) => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    await client.query(sql);
    await client.end();
  };
  await run(`CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { environment: { DATABASE_URL: url.href }, drop: () => run(`DROP DATABASE ${name} WITH (FORCE)`) };
}

/** Starts `dist/main.js` on a free loopback port with plain http. */
export async function startService() {
  const folder = await mkdtemp(join(tmpdir(), 'castellan-clients-'));
  const database = await createDatabase();
  const env = {
    PATH: process.env.PATH,
    PORT: '0',
    LOG_FORMAT: 'json',
    DATA_DIR: join(folder, 'data'),
    ADMIN_PASSWORD: PASSWORD,
    ...database.environment,
  };
  const child = spawn(process.execPath, [join(ROOT, 'dist/main.js')], { cwd: ROOT, env });
  let errors = '';
  child.stderr.on('data', (text) => (errors += text));
  const ended = new Promise((done) => child.once('close', done));
  const issuer = await new Promise((ready, fail) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const entry = line.startsWith('{') ? JSON.parse(line) : {};
      if (entry.msg === 'Castellan is ready') ready(entry.listens);
      if (entry.level === 'error' || entry.level === 'warn') console.log(`service: ${line}`);
    });
    void ended.then((code) => fail(new Error(`The service ended with ${code}: ${errors}`)));
  });
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  };
  return { issuer: issuer.replace(/\/$/, ''), stop };
}

export const ISSUER = process.env.CASTELLAN_ISSUER ?? '';

/** Calls the API with JSON as the user of the browser. */
export async function api(browser, method, path, body) {
  const response = await browser.fetch(`${ISSUER}${path}`, {
    method,
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

let admin;

export async function administrator() {
  if (admin) return admin;
  admin = new Browser('admin');
  await admin.logIn();
  return admin;
}

/** Registers a client as administrator and returns the response. */
export async function register(fields) {
  return api(await administrator(), 'POST', '/api/oauth/client', fields);
}

/** Adds permissions to the catalogue, unless another test already has. */
export async function declarePermissions(scope, ids) {
  for (const permission_id of ids) {
    const body = JSON.stringify({ scope, permission_id, description: permission_id });
    const headers = { 'content-type': 'application/json' };
    const admin = await administrator();
    const { status } = await admin.fetch(`${ISSUER}/api/permission`, { method: 'POST', headers, body });
    if (status !== 201 && status !== 409) throw new Error(`POST /api/permission: ${status}`);
  }
}

let people = 0;

/** A browser of a new user who is not logged in. */
export async function person() {
  const browser = new Browser(`user_${process.pid}_${++people}`);
  const registering = new Browser(browser.username);
  const body = { username: browser.username, password: PASSWORD };
  await api(registering, 'POST', '/api/auth/register', body);
  return browser;
}

/** Ends all sessions of the user as administrator. */
export async function endSessions(browser) {
  const { id } = await api(browser, 'GET', '/api/auth/me');
  await api(await administrator(), 'DELETE', `/api/user/${id}/sessions`);
}

/** Waits for an asynchronous effect of another process, such as a back-channel logout. */
export async function eventually(ask, isReached) {
  const until = Date.now() + 10_000;
  for (;;) {
    const value = await ask();
    if (isReached(value)) return value;
    if (Date.now() > until) throw new Error(`Condition not reached: ${JSON.stringify(value)}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}
