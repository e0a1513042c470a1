import { registerPerHourPerAddress } from '../../src/auth';
import { expectProblem } from '../support/service/expect-problem';
import { Problem, TestClient } from '../support/service/test-client';
import { listen, RawAnswer, requestBytes, sendRaw } from '../support/service/raw-http';
import type { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

let service: TestService;
let client: TestClient;
let port: number;

withService(async (started) => {
  service = started;
  client = service.client();
  await service.register('walker');
  port = await listen(service.app);
});

describe('malformed and unusual addresses', () => {
  it.each([
    '/%ff',
    '/%',
    '/%zz',
    '/api/auth/%ff',
    '/api/auth/sessions/%ff',
    '/api/auth/sessions/%00',
    '/api/avatar/%c0%ae.svg',
  ])('%s returns a problem', async (path) => {
    const answer = await client.get<Problem>(path);
    expect([400, 401, 404]).toContain(answer.status);
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    expect(answer.text).not.toContain('FST_');
  });

  it.each([
    '//api/auth/me',
    '/api//auth/me',
    '/api/auth//me',
    '/api/auth/me/',
    '/api/auth/me;x=1',
    '/api/auth/x/..;/me',
    '/API/auth/me',
    '/api/AUTH/me',
    '/api/auth/me%2f',
    '/api/auth%2fme',
    '/api/auth/me%00',
    '/api/auth/./me',
    '/api/auth/me.json',
    '/api/auth/me%20',
    '/api/auth/%6de',
    '/%61pi/auth/me',
    '/api/auth/me#x',
    '/api/auth/me%3flang=en',
    '/api\\auth\\me',
  ])('%s never grants more access than its plain spelling', async (path) => {
    const answer = await client.get<Problem>(path);
    expect(['not_found', 'unauthenticated']).toContain(answer.body.code);
    const raw = await sendRaw(port, requestBytes('GET', path));
    expect([401, 404]).toContain(raw.status);
    expect(raw.headers['content-type']).toContain('application/problem+json');
  });

  it.each(['/api/%72ole', '/%61pi/role', '//api/role', '/api//role', '/api/role/', '/api/role;x=1', '/api/ROLE'])(
    '%s is protected by the guard alone',
    async (path) => {
      expect(['not_found', 'unauthenticated']).toContain((await client.get<Problem>(path)).body.code);
      const user = await service.logIn('walker');
      expect(['not_found', 'permission_denied']).toContain((await user.get<Problem>(path)).body.code);
    },
  );

  it.each([
    'http://localhost/api/auth/me',
    'http://evil.example/api/auth/me',
    'http:///api/auth/me',
    '*',
    '*api/auth/me',
    '/api/../api/auth/me',
    '/api/x/../auth/me',
    'ftp://x/api/auth/me',
  ])('the request target %s does not grant more access', async (target) => {
    const answer = await sendRaw(port, requestBytes('GET', target));
    expect([400, 401, 404]).toContain(answer.status);
    expect(answer.headers['content-type']).toContain('application/problem+json');
    expect(answer.text).toMatch(/"code":"(not_found|unauthenticated)"/);
  });

  it('an address of 8 KiB is answered like any other', async () => {
    const path = `/api/${'a'.repeat(8_192)}`;
    expectProblem(await client.get<Problem>(path), 404, 'not_found');
    expectProblem(await client.get<Problem>(`/api/info?x=${'a'.repeat(8_192)}`), 400, 'validation_failed');
  });

  it('a rate-limited route has one budget for all its spellings', async () => {
    await service.set(registerPerHourPerAddress, 2);
    const spender = service.client();
    const paths = ['/api/auth/register', '/api/auth/%72egister'];
    const knock = async (path: string): Promise<number> =>
      (await spender.post(path, { username: 'knock', password: 'password' })).status;
    try {
      for (const status of [400, 429]) {
        for (const path of paths) expect([path, await knock(path)]).toEqual([path, status]);
      }
    } finally {
      await service.set(registerPerHourPerAddress, registerPerHourPerAddress.defaultValue);
    }
  });
});

describe('rejected before routing', () => {
  const isProblemOrEmpty = ({ headers, text }: RawAnswer): boolean =>
    text === '' || (headers['content-type'] ?? '').startsWith('application/problem+json');

  it.each([
    ['an invalid request line', 'GARBAGE\r\n\r\n', 400],
    ['a header line without a colon', 'GET / HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n', 400],
    ['an unknown method', 'FOO /api/info HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    [
      'two content lengths',
      'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
    ],
    [
      'a content length beside chunked encoding',
      'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
    ],
    ['no Host header', 'GET /api/info HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['a header of 17 KiB', requestBytes('GET', '/api/info', `X-Long: ${'a'.repeat(17_000)}`), 431],
    ['an address of 17 KiB', requestBytes('GET', `/${'a'.repeat(17_000)}`), 431],
    ['an unsupported Expect header', requestBytes('GET', '/api/info', 'Expect: miracles'), 417],
  ])('%s', async (_, bytes, status) => {
    const answer = await sendRaw(port, bytes);
    expect(answer.status).toBe(status);
    expect([answer, isProblemOrEmpty(answer)]).toEqual([answer, true]);
    expect(answer.headers['server']).toBeUndefined();
  });
});
