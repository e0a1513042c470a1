import { expectProblem } from '../support/service/expect-problem';
import { listen, requestBytes, sendRaw } from '../support/service/raw-http';
import type { Answer, Problem, TestClient } from '../support/service/test-client';
import type { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

let service: TestService;
let client: TestClient;

withService((started) => {
  service = started;
  client = service.client();
});

const open = (path: string, accept?: string): Promise<Answer<Problem>> =>
  client.get<Problem>(path, { headers: accept === undefined ? {} : { accept } });

describe('a page with a slash at its end', () => {
  it.each([
    ['/login/', '/login'],
    ['/login/mfa/', '/login/mfa'],
    ['/register/?interaction=a%2Fb', '/register?interaction=a%2Fb'],
    ['/reset-password//', '/reset-password'],
    ['/invitation/?x=1&y=/', '/invitation?x=1&y=/'],
    ['/consent/', '/consent'],
    ['/account/', '/account'],
    ['/account/security/', '/account/security'],
    ['/account/organizations/', '/account/organizations'],
    ['/admin/', '/admin'],
    ['/admin/users/?keyword=a/', '/admin/users?keyword=a/'],
  ])('%s redirects to %s', async (path, page) => {
    for (const accept of [BROWSER, undefined]) {
      const { status, headers } = await open(path, accept);
      expect([status, headers['location']]).toEqual([308, page]);
    }
  });

  it.each(['//evil.example/', '/\\evil.example/', '//evil.example/login/', '/account/..//evil.example/', '/%2fevil/'])(
    '%s leads to no other host',
    async (path) => {
      const port = await listen(service.app);
      const { headers } = await sendRaw(port, requestBytes('GET', path, `Accept: ${BROWSER}`));
      const { location } = headers;
      if (location === undefined) return;
      expect(new URL(location, 'https://id.example.com/').host).toBe('id.example.com');
    },
  );
});

describe('an unknown page', () => {
  it.each(['/nope', '/wp-login.php', '/users/4711/', '/Login', '/login/x', '/nope?next=<script>'])(
    '%s is described to browsers in their language',
    async (path) => {
      for (const [language, title] of [
        ['en-GB', 'Page not found'],
        ['zh-CN', '页面不存在'],
        ['fr', 'Page not found'],
      ] as const) {
        const { statusCode, headers, payload } = await service.app.inject({
          url: path,
          headers: { accept: BROWSER, 'accept-language': language },
        });
        expect([statusCode, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
        expect(payload).toContain(`<h1>${title}</h1>`);
        expect(payload).toContain(`<html lang="${language === 'zh-CN' ? 'zh' : 'en'}">`);
        expect(payload).not.toContain('<script');
        expect(headers['content-security-policy']).toContain("default-src 'none'");
        expect(headers['cache-control']).toBe('no-store');
      }
    },
  );

  it.each([
    undefined,
    '*/*',
    'application/json',
    'image/avif,image/*;q=0.8',
    'text/html;q=0, */*',
    'text/htmlx',
    'application/json, text/html;q=0.1',
    'application/problem+json, text/html;q=0.1',
    'text/html;q=0.5, */*',
    'application/json, text/html',
  ])('is a problem for clients that accept %s', async (accept) => {
    expectProblem(await open('/nope', accept), 404, 'not_found');
  });

  it.each(['text/html', 'text/html, application/json', 'application/json;q=0.4, text/html;q=0.5', 'text/*'])(
    'is a page for clients that accept %s',
    async (accept) => {
      const { statusCode, headers } = await service.app.inject({ url: '/nope', headers: { accept } });
      expect([statusCode, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    },
  );

  it.each(['/api/nope', '/api', '/API/nope', '/.well-known/nope', '/api/auth/login/'])(
    '%s is a problem for browsers, too',
    async (path) => {
      expectProblem(await open(path, BROWSER), 404, 'not_found');
    },
  );

  it('is a problem for other methods', async () => {
    for (const method of ['POST', 'DELETE'] as const) {
      const answer = await client.send<Problem>(method, '/nope', { headers: { accept: BROWSER } });
      expectProblem(answer, 404, 'not_found');
    }
  });
});

/** https://www.w3.org/TR/change-password-url/ */
describe('the well-known address for changing passwords', () => {
  it('redirects to the page, whoever asks', async () => {
    for (const path of ['', '?from=manager'].map((query) => `/.well-known/change-password${query}`)) {
      const { status, headers } = await open(path, BROWSER);
      expect([status, headers['location']]).toEqual([302, '/account/security']);
    }
  });

  it('can be relied on: other addresses there are not found', async () => {
    const path = '/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200';
    expect((await open(path, BROWSER)).status).toBe(404);
  });
});
