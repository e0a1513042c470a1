import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request as open, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { accessTtl } from '../../src/session/store/session.settings';
import { freePort } from '../support/servers/redis-server';
import { ADMIN, eventually, PASSWORD, TestService } from '../support/service/test-service';
import { startNginx, type RunningNginx } from './nginx';
import { pageForEach } from './stage';
import { complaintsOf } from './watch';

const run = promisify(execFile);
const TEAM = 'For the team';
const REPORTS = 'This page requires the permission';

interface Got {
  readonly status: number | undefined;
  readonly text: string;
  readonly headers: IncomingMessage['headers'];
}

interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly port?: number;
}

describe('nginx example', () => {
  let service: TestService;
  let nginx: RunningNginx;
  let annsId: string;
  let annsCookies: string;

  /** Sends the path unchanged. `fetch` would normalize it. */
  async function ask(path: string, { method = 'GET', headers = {}, body, port = nginx.port }: Sent = {}): Promise<Got> {
    const request = open({ host: '127.0.0.1', port, method, path, headers }).end(body);
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    let text = '';
    for await (const chunk of answer) text += String(chunk);
    return { status: answer.statusCode, text, headers: answer.headers };
  }

  async function logIn(headers: Record<string, string> = {}): Promise<string> {
    const body = JSON.stringify({ type: 'password', username: 'nginx_ann', password: PASSWORD });
    const answer = await ask('/api/auth/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': String(body.length), ...headers },
      body,
    });
    expect(answer.status).toBe(200);
    return (answer.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ');
  }

  beforeAll(async () => {
    const port = await freePort();
    service = await TestService.start({ environment: { PORT: String(port) } });
    await service.app.listen(port, '127.0.0.1');
    nginx = await startNginx(port);
    const ann = await service.signUp('nginx_ann', { nickname: 'Ann' });
    annsId = (await ann.get<{ id: string }>('/api/auth/me')).body.id;
    annsCookies = await logIn();
  }, 120_000);

  afterAll(async () => {
    await nginx.stop();
    await service.stop();
  });

  describe('over HTTP', () => {
    it('denies unauthenticated requests and returns the page that leads to the login', async () => {
      for (const path of ['/team/', '/team/index.html', '/reports/']) {
        const { status, text } = await ask(path);
        expect([path, status]).toEqual([path, 401]);
        expect(text).toContain('/_signin/renew.js');
        expect(text).not.toMatch(/For the team|This page requires/);
      }
      expect(await ask('/whoami')).toMatchObject({ status: 401, text: expect.not.stringContaining('"id"') as string });
    });

    it.each([
      '/team/../reports/',
      '/_signin/../reports/index.html',
      '/_signin/%2e%2e/reports/index.html',
      '//reports/',
      '/./reports/',
      '/%72eports/index.html',
      '/reports/index.html?x=/_signin/',
      '/_signin/renew.html/../../reports/index.html',
    ])('allows no bypass: %s', async (path) => {
      const { status, text } = await ask(path);
      expect(status).toBe(401);
      expect(text).not.toContain(REPORTS);
    });

    it('serves the page to a logged-in user and passes the user to the application', async () => {
      const headers = { cookie: annsCookies };
      expect(await ask('/team/', { headers })).toMatchObject({
        status: 200,
        text: expect.stringContaining(TEAM) as string,
        headers: { 'cache-control': 'no-store' },
      });
      const received = JSON.parse((await ask('/whoami', { headers })).text) as Record<string, string>;
      expect(received).toEqual({
        id: annsId,
        username: 'nginx_ann',
        session: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        cookie: '',
      });
    });

    it.each<Record<string, string>>([
      { 'x-user-id': 'forged', 'x-username': 'admin', 'x-session-id': 'forged' },
      { 'X-USER-ID': 'forged', 'X-Username': 'admin' },
      { x_user_id: 'forged', x_username: 'admin' },
    ])('overwrites forged user headers: %j', async (forged) => {
      expect((await ask('/whoami', { headers: forged })).status).toBe(401);
      const { text } = await ask('/whoami', { headers: { ...forged, cookie: annsCookies } });
      expect(text).not.toContain('forged');
      expect(JSON.parse(text)).toMatchObject({ id: annsId, username: 'nginx_ann' });
    });

    it('ignores a forged client address', async () => {
      const cookie = await logIn({ 'x-forwarded-for': '203.0.113.7' });
      const { text } = await ask('/api/auth/sessions', { headers: { cookie } });
      const { items } = JSON.parse(text) as { items: { current: boolean; ip: string }[] };
      expect(items.find(({ current }) => current)).toMatchObject({ ip: '127.0.0.1' });
    });

    it('returns 403 until an administrator grants the permission as in the README', async () => {
      const headers = { cookie: annsCookies };
      const refused = await ask('/reports/', { headers });
      expect([refused.status, refused.text.includes('Not for you')]).toEqual([403, true]);
      expect(refused.text).not.toContain(REPORTS);

      const readme = await readFile(join(__dirname, '../../examples/nginx/README.md'), 'utf8');
      const [, script = ''] = /```sh\n([^`]*permissions[^`]*)```/.exec(readme) ?? [];
      const folder = await mkdtemp(join(tmpdir(), 'castellan-nginx-'));
      const commands = script
        .replaceAll('127.0.0.1:8080', `127.0.0.1:${nginx.port}`)
        .replace('keyword=ann', 'keyword=nginx_ann')
        .replace('…', ADMIN.password);
      await run('bash', ['-ec', commands], { cwd: folder });
      await rm(folder, { recursive: true });
      expect(await ask('/reports/', { headers })).toMatchObject({
        status: 200,
        text: expect.stringContaining(REPORTS) as string,
      });
    });

    it.each(['/_verify/login', '/_verify/reports'])('hides the auth location %s from clients', async (path) => {
      expect((await ask(path, { headers: { cookie: annsCookies } })).status).toBe(404);
    });

    it('authorizes a request with a body', async () => {
      const headers = { cookie: annsCookies, 'content-type': 'text/plain', 'content-length': '4' };
      expect((await ask('/whoami', { method: 'POST', headers, body: 'body' })).status).toBe(200);
    });

    it('denies access after the session has ended', async () => {
      const cookie = await logIn();
      expect((await ask('/team/', { headers: { cookie } })).status).toBe(200);
      expect((await ask('/api/auth/logout', { method: 'POST', headers: { cookie } })).status).toBe(204);
      expect((await ask('/team/', { headers: { cookie } })).status).toBe(401);
    });

    it('denies access while the service is down', async () => {
      const alone = await startNginx(await freePort());
      try {
        for (const path of ['/team/', '/reports/', '/whoami']) {
          const { status, text } = await ask(path, { headers: { cookie: annsCookies }, port: alone.port });
          expect([path, status]).toEqual([path, 500]);
          expect(text).not.toMatch(/For the team|This page requires|"id"/);
        }
      } finally {
        await alone.stop();
      }
    });
  });

  describe('in a browser', () => {
    const seen = pageForEach(1280);

    async function logInAt(wanted: string): Promise<void> {
      await seen.page.goto(wanted);
      await seen.page.waitForURL(`${nginx.url}/login?*`);
      await seen.page.fill('input[autocomplete^="username"]', 'nginx_ann');
      await seen.page.fill('input[autocomplete="current-password"]', PASSWORD);
      await seen.page.click('button[type="submit"]');
      await seen.page.waitForURL(wanted);
      await seen.page.waitForSelector('#who:text-is("nginx_ann")');
    }

    it('redirects to the login and back to the same address', async () => {
      const complaints = complaintsOf(seen.page, /40[14]/);
      await logInAt(`${nginx.url}/team/?a=1&b=2%263+4#part`);
      expect(complaints).toEqual([]);
    });

    it('refreshes an expired access token without a login', async () => {
      await logInAt(`${nginx.url}/team/`);
      const status = (method: string, path: string): Promise<number> =>
        seen.page.evaluate<number>(`fetch('${path}', { method: '${method}' }).then(({ status }) => status)`);
      await service.set(accessTtl, 1);
      expect(await status('POST', '/api/auth/refresh')).toBe(200);
      await service.set(accessTtl, 900);
      await eventually(
        () => status('GET', '/whoami'),
        (answer) => answer === 401,
        30,
      );
      await seen.page.goto(`${nginx.url}/team/?tab=news`);
      await seen.page.waitForSelector('#who:text-is("nginx_ann")');
      expect(seen.page.url()).toBe(`${nginx.url}/team/?tab=news`);
    });
  });
});
