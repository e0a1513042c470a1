import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { IntranetAdapter } from '../../examples/embedding/src/intranet.adapter';
import { HouseSms, SmsGateway } from '../../examples/embedding/src/house-sms';
import { oauthProviderAdapterContract, smsSenderContract } from '../../src/testing';
import { eventually } from '../support/service/eventually';
import { expectProblem } from '../support/service/expect-problem';
import { call, HttpAnswer } from '../support/service/http-caller';
import { freePort } from '../support/servers/redis-server';
import { answer, Vendor } from '../support/servers/sms-vendors';
import { createProcessDatabase, ProcessDatabase } from '../support/service/test-database';

const root = join(__dirname, '..', '..');
const admin = { username: 'admin', password: 'an administrator of the shop' };
const password = 'correct horse battery';

describe('the embedding example, run as its README describes', () => {
  let folder: string;
  let database: ProcessDatabase;
  let url: string;
  let child: ReturnType<typeof spawn>;
  let output = '';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'castellan-example-'));
    database = await createProcessDatabase(join(folder, 'data'));
    const PORT = String(await freePort());
    url = `http://127.0.0.1:${PORT}`;
    const compile = ['examples/embedding/src', '-d', '.tmp/examples', '--strip-leading-paths', '-q'];
    await promisify(execFile)(join(root, 'node_modules/.bin/swc'), compile, { cwd: root });
    const { DATABASE_URL: _url, NODE_ENV: _environment, ...inherited } = process.env;
    const settings = { PORT, ADMIN_PASSWORD: admin.password, LOG_FORMAT: 'json' };
    const env = { ...inherited, ...settings, ...database.environment };
    child = spawn(process.execPath, [join(root, '.tmp/examples/embedding/src/main.js')], { cwd: root, env });
    const keep = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    await eventually(
      async () => {
        if (child.exitCode !== null) throw new Error(output);
        return output;
      },
      (text) => text.includes(`The shop is open at ${url}`),
      110,
    );
  }, 120_000);

  afterAll(async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const register = (username: string): Promise<HttpAnswer> =>
    call(url, 'POST', '/api/auth/register', { body: { username, password } });
  const logIn = (username: string, secret = password): Promise<HttpAnswer> =>
    call(url, 'POST', '/api/auth/login', { body: { type: 'password', username, password: secret } });

  it('leaves routes of the host unchanged', async () => {
    const home = await fetch(url);
    expect([home.status, await home.text(), home.headers.get('content-security-policy')]).toEqual([
      200,
      'A shop',
      null,
    ]);
    const body = new URLSearchParams({ stars: '5' });
    const feedback = await fetch(`${url}/feedback`, {
      method: 'POST',
      body,
      headers: { origin: 'https://other.example' },
    });
    expect(await feedback.json()).toEqual({ thanks: { stars: '5' } });
  });

  it('shows invoices to their owners, and all to a caller with the permission', async () => {
    expect((await call(url, 'GET', '/billing/invoices')).status).toBe(401);
    expect((await register('ann')).status).toBe(201);
    expect((await register('bob')).status).toBe(201);
    const { cookie: ann } = await logIn('ann');
    const mine = (await call(url, 'GET', '/billing/invoices/mine', { cookie: ann })).body as { id: number }[];
    expect(mine).toMatchObject([{ cents: 0 }]);
    const { cookie: bob } = await logIn('bob');
    const path = `/billing/invoices/${mine[0]?.id ?? 0}`;
    expect((await call(url, 'GET', path, { cookie: ann })).status).toBe(200);
    expect(await call(url, 'GET', path, { cookie: bob })).toMatchObject({
      status: 403,
      body: { code: 'permission_denied', params: { permission: 'invoice:read', scope: 'billing' } },
    });
    // The administrator has one, too.
    const { cookie } = await logIn(admin.username, admin.password);
    expect(((await call(url, 'GET', '/billing/invoices', { cookie })).body as unknown[]).length).toBe(3);
  });

  it('keeps a user whose listener fails, and logs a warning', async () => {
    expect((await register('unlucky_eve')).status).toBe(201);
    expect((await logIn('unlucky_eve')).status).toBe(200);
    expect(output).toContain('A user.created listener failed');
  });

  it('includes its setting, login method and provider adapter', async () => {
    const { cookie } = await logIn(admin.username, admin.password);
    const read = async (path: string): Promise<string> =>
      JSON.stringify((await call(url, 'GET', path, { cookie })).body);
    expect(await read('/api/setting?category=billing')).toContain('"key":"billing.most_cents"');
    expect(await read('/api/login-method')).toContain('"type":"badge"');
    expect(await read('/api/oauth/template')).toContain('"template":"intranet"');
    const badge = { type: 'badge', username: 'ann', number: '123456' };
    expectProblem(await call(url, 'POST', '/api/auth/login', { body: badge }), 401, 'badge_refused');
    const updates = [{ key: 'billing.most_cents', value: 500 }];
    expect((await call(url, 'PUT', '/api/setting', { cookie, body: { updates } })).status).toBe(200);
    const { id } = (await call(url, 'GET', '/api/auth/me', { cookie })).body as { id: string };
    const body = { customer: id, cents: 900 };
    expect((await call(url, 'POST', '/billing/invoices', { cookie, body })).body).toMatchObject({ cents: 500 });
  });
});

describe('the example’s SmsSender fulfils the contract:', () => {
  const cases = smsSenderContract(async () => {
    let isSilent = false;
    const vendor = await Vendor.start(() => (isSilent ? () => undefined : answer(202, {})));
    const gateway = Object.assign(new SmsGateway(), { url: vendor.origin, patienceMs: 1_500 });
    return {
      sender: new HouseSms(gateway),
      handedOver: () => vendor.requests.length,
      fallSilent: () => {
        isSilent = true;
      },
      goAway: () => vendor.stop(),
      close: () => vendor.stop(),
    };
  });
  for (const { name, run } of cases) it(name, run);
});

describe('the example’s OAuthProviderAdapter fulfils the contract:', () => {
  const cases = oauthProviderAdapterContract(() => ({
    adapter: new IntranetAdapter(),
    configuration: { params: { domain: 'intranet.example' } },
    subject: '4711',
    answer: ({ url: asked }) => ({
      text: asked.endsWith('/oauth/token') ? '{"access_token":"token"}' : '{"person":{"number":4711}}',
    }),
  }));
  for (const { name, run } of cases) it(name, run);
});
