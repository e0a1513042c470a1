import { CookieJar, fetchWithCookies } from './cookie-jar';

const HOME = new URL('https://id.example.com/api/auth/login');

const answerWith = (...lines: string[]): Headers => new Headers(lines.map((line) => ['set-cookie', line]));

function jarWith(...lines: string[]): CookieJar {
  const jar = new CookieJar();
  jar.keep(HOME, answerWith(...lines));
  return jar;
}

const at = (jar: CookieJar, url: string): string => jar.headerFor(new URL(url));

describe('CookieJar', () => {
  it('sends cookies only to the host that set them', () => {
    const jar = jarWith('iam_access=a.b=c; Path=/; HttpOnly; Secure', 'iam_refresh=r; Domain=example.com');
    expect(at(jar, 'https://id.example.com/api/auth/me')).toBe('iam_access=a.b=c; iam_refresh=r');
    expect(at(jar, 'https://app.example.com/')).toBe('');
    expect(at(jar, 'https://example.com/')).toBe('');
    expect(at(jar, 'https://xid.example.com/')).toBe('');
  });

  it('drops expired cookies by time, without another response', () => {
    const clock = jest.spyOn(Date, 'now').mockReturnValue(1_000_000);
    const jar = jarWith('a=1; Max-Age=60', 'b=2');
    expect(at(jar, 'https://id.example.com/')).toBe('a=1; b=2');
    clock.mockReturnValue(1_060_000);
    expect(at(jar, 'https://id.example.com/')).toBe('b=2');
    clock.mockRestore();
  });

  it('ignores Secure cookies received over http, even for later https requests', () => {
    const jar = new CookieJar();
    jar.keep(new URL('http://id.example.com/'), answerWith('a=1; Secure', 'b=2'));
    expect(at(jar, 'https://id.example.com/')).toBe('b=2');
  });

  it.each([
    ['/iam', '/iam', true],
    ['/iam', '/iam/api', true],
    ['/iam/', '/iam/api', true],
    ['/iam', '/iamx', false],
    ['/iam', '/', false],
  ])('sends a cookie of path %s to %s: %s', (path, asked, goes) => {
    const jar = jarWith(`iam_access=a; Path=${path}`);
    expect(at(jar, `https://id.example.com${asked}`)).toBe(goes ? 'iam_access=a' : '');
  });

  it.each([
    'iam_access=; Max-Age=0; Path=/',
    'iam_access=; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Path=/',
    'iam_access=; max-age=0; Expires=Fri, 01 Jan 2100 00:00:00 GMT; Path=/',
  ])('removes a cookie after %s', (end) => {
    const jar = jarWith('iam_access=a; Max-Age=900; Path=/', 'iam_refresh=r; Path=/');
    jar.keep(HOME, answerWith(end));
    expect(at(jar, HOME.href)).toBe('iam_refresh=r');
  });

  it('keeps the newest value', () => {
    const jar = jarWith('iam_access=a; Path=/');
    jar.keep(HOME, answerWith('iam_access=b; Path=/'));
    expect(at(jar, HOME.href)).toBe('iam_access=b');
  });

  it.each([
    ['http://id.example.com/', ''],
    ['https://id.example.com/', 'iam_access=a'],
  ])('sends Secure cookies to %s as "%s"', (url, header) => {
    expect(at(jarWith('iam_access=a; Path=/; Secure'), url)).toBe(header);
  });

  it.each([
    ['http://id.example.com/', ''],
    ['http://127.0.0.1:4000/', 'iam_access=a'],
    ['http://localhost:4000/', 'iam_access=a'],
    ['http://[::1]:4000/', 'iam_access=a'],
    ['http://127.0.0.1.evil.example/', ''],
  ])('accepts Secure cookies from %s as "%s"', (url, header) => {
    const jar = new CookieJar();
    jar.keep(new URL(url), answerWith('iam_access=a; Path=/; Secure'));
    expect(at(jar, url)).toBe(header);
  });

  it('adds cookies to requests and stores those of responses', async () => {
    const sent: [string, Headers][] = [];
    const fetch = fetchWithCookies(undefined, async (url, init) => {
      sent.push([url.pathname, new Headers(init.headers)]);
      return new Response(null, { status: 204, headers: answerWith('iam_access=a; Path=/') });
    });
    await fetch(HOME, { method: 'POST', headers: { 'content-type': 'application/json' } });
    await fetch(HOME, { method: 'POST' });
    expect(sent.map(([, headers]) => Object.fromEntries(headers))).toEqual([
      { 'content-type': 'application/json' },
      { cookie: 'iam_access=a' },
    ]);
  });
});
