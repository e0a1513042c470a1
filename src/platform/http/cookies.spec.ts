import { parseSetCookie } from 'cookie';
import fc from 'fast-check';
import {
  checkCookieAttributes,
  CookieTarget,
  cookieValues,
  expireCookie,
  isCookiePrefix,
  serializeCookie,
} from './cookies';

const target: CookieTarget = { name: 'iam_access', path: '/', sameSite: 'lax', secure: true };

describe('cookieValues', () => {
  it.each([
    [undefined, []],
    ['', []],
    ['iam=1', ['1']],
    ['iam=1; iam=2;iam=3', ['1', '2', '3']],
    ['iam=1; other=9; iam=1', ['1', '1']],
    [' \t iam \t = \t 1 \t ;x', ['1']],
    ['iam=a=b', ['a=b']],
    ['iam=', ['']],
    ['iam', []],
    ['=iam', []],
    ['=iam=1', []],
    ['IAM=1', []],
    ['xiam=1; iamx=2', []],
    ['iam=%E4%BD%A0', ['你']],
    ['iam=%zz', ['%zz']],
    ['iam=%', ['%']],
    ['iam="quoted"', ['"quoted"']],
    [';;;=;==; ;iam=1;', ['1']],
    ['x="; iam=1; y="', ['1']],
    ['iam=1, iam=2', ['1, iam=2']],
    ['\u0000=\u0001; iam=\u0002', ['\u0002']],
    ['__proto__=1; iam=2', ['2']],
  ])('reads from %j: %j', (header, values) => {
    expect(cookieValues(header, 'iam')).toEqual(values);
  });

  it('reads names of built-in object properties', () => {
    expect(cookieValues('__proto__=1; constructor=2', '__proto__')).toEqual(['1']);
    expect(cookieValues('a=1', 'constructor')).toEqual([]);
  });

  it('returns nothing for the empty name', () => {
    expect(cookieValues('=1; 2', '')).toEqual([]);
  });

  it.each([
    [16 * 1024, 1],
    [16 * 1024 + 1, 0],
  ])('reads from a header of %d characters %d values', (length, count) => {
    expect(cookieValues('iam=1;'.padEnd(length, 'x'), 'iam')).toHaveLength(count);
  });

  it.each([';', '=', 'iam=1;', 'iam', ' ', '%', '\t;'])('parses 16 KiB and 64 KiB of %j', (unit) => {
    const header = unit.repeat(65_536 / unit.length);
    expect(cookieValues(header, 'iam')).toEqual([]);
    expect(Array.isArray(cookieValues(header.slice(0, 16_384), 'iam'))).toBe(true);
  });

  it('never throws on arbitrary input', () => {
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(text, text, (header, name) => {
        expect(Array.isArray(cookieValues(header, name))).toBe(true);
      }),
    );
  });
});

describe('serializeCookie', () => {
  it.each([
    [{}, 'iam_access=v; Path=/; HttpOnly; Secure; SameSite=Lax'],
    [{ secure: false }, 'iam_access=v; Path=/; HttpOnly; SameSite=Lax'],
    [
      { sameSite: 'strict' as const, maxAgeSeconds: 900 },
      'iam_access=v; Max-Age=900; Path=/; HttpOnly; Secure; SameSite=Strict',
    ],
    [{ sameSite: 'none' as const }, 'iam_access=v; Path=/; HttpOnly; Secure; SameSite=None'],
    [{ domain: 'example.com' }, 'iam_access=v; Domain=example.com; Path=/; HttpOnly; Secure; SameSite=Lax'],
    [{ domain: '' }, 'iam_access=v; Path=/; HttpOnly; Secure; SameSite=Lax'],
  ])('serializes %j as %s', (changes, expected) => {
    expect(serializeCookie({ ...target, value: 'v', ...changes })).toBe(expected);
  });

  it.each([
    { name: 'a;b' },
    { name: 'a=b' },
    { name: 'a\r\nb' },
    { name: '' },
    { path: '/;x' },
    { domain: 'a;b' },
    { maxAgeSeconds: 1.5 },
  ])('rejects %j', (changes) => {
    expect(() => serializeCookie({ ...target, value: 'v', ...changes })).toThrow(TypeError);
  });

  it('keeps base64url and JWTs unchanged', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ minLength: 1 }), { minLength: 1, maxLength: 5 }), (parts) => {
        const value = parts.map((part) => Buffer.from(part).toString('base64url')).join('.');
        expect(serializeCookie({ ...target, value }).split(';', 1)).toEqual([`iam_access=${value}`]);
      }),
    );
  });

  it('encodes any value so that it is read back unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (value) => {
        const line = serializeCookie({ ...target, value });
        expect(parseSetCookie(line)).toMatchObject({ httpOnly: true, secure: true, path: '/' });
        expect(cookieValues(line.split(';', 1)[0], target.name)).toEqual([value]);
      }),
    );
  });
});

describe('expireCookie', () => {
  it('expires the cookie with the same name, path and domain', () => {
    expect(expireCookie({ ...target, path: '/iam', domain: 'example.com' })).toBe(
      'iam_access=; Max-Age=0; Domain=example.com; Path=/iam; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Lax',
    );
  });
});

describe('isCookiePrefix', () => {
  it.each(['iam', '__Host-iam', '__Secure-iam', 'a', 'a.b~c', 'a'.repeat(64)])('accepts %s', (text) => {
    expect(isCookiePrefix(text)).toBe(true);
  });

  it.each([
    '',
    ' ',
    'a b',
    'a;b',
    'a=b',
    'a,b',
    'a"b',
    'a/b',
    'a:b',
    'a@b',
    '(a)',
    'a\r\n',
    'a\n',
    'é',
    '\u212a',
    'a'.repeat(65),
  ])('rejects %j', (text) => {
    expect(isCookiePrefix(text)).toBe(false);
  });
});

describe('checkCookieAttributes', () => {
  const codes = (prefix: string, path: string, domain?: string): string[] =>
    checkCookieAttributes({ prefix, path, domain }).map(({ attribute, code }) => `${attribute} ${code}`);

  it.each([
    ['iam', '/', undefined, []],
    ['iam', '/', '', []],
    ['iam', '/iam/app', 'example.com', []],
    ['iam', '/', '.example.com', []],
    ['__Host-iam', '/', '', []],
    ['__Secure-iam', '/x', 'example.com', []],
    ['__Host-iam', '/x', '', ['path host_prefix_path']],
    ['__Host-iam', '/', 'example.com', ['domain host_prefix_domain']],
    ['__HOST-iam', '/x', 'a.b', ['path host_prefix_path', 'domain host_prefix_domain']],
    ['a;b', '/', '', ['prefix cookie_prefix']],
    ['iam', '', '', ['path cookie_path']],
    ['iam', 'x', '', ['path cookie_path']],
    ['iam', '/;Domain=evil.test', '', ['path cookie_path']],
    ['iam', '/\r\nSet-Cookie: a=b', '', ['path cookie_path']],
    ['iam', '/a\n', '', ['path cookie_path']],
    ['iam', '/\u007f', '', ['path cookie_path']],
    ['iam', '/é', '', ['path cookie_path']],
    ['iam', `/${'a'.repeat(255)}`, '', []],
    ['iam', `/${'a'.repeat(256)}`, '', ['path cookie_path']],
    ['iam', '/', 'a b', ['domain cookie_domain']],
    ['iam', '/', 'a;b', ['domain cookie_domain']],
    ['iam', '/', '..a', ['domain cookie_domain']],
    ['iam', '/', 'a.', ['domain cookie_domain']],
    ['iam', '/', '-a.test', ['domain cookie_domain']],
    ['iam', '/', 'a.test:80', ['domain cookie_domain']],
    ['iam', '/', 'https://a.test', ['domain cookie_domain']],
    ['iam', '/', '*.a.test', ['domain cookie_domain']],
    ['iam', '/', '.', ['domain cookie_domain']],
    ['iam', '/', `${'a.'.repeat(127)}a`, ['domain cookie_domain']],
  ])('reports for prefix %j, path %j and domain %j: %j', (prefix, path, domain, problems) => {
    expect(codes(prefix, path, domain)).toEqual(problems);
  });

  it('accepts only what the serializer accepts', () => {
    const text = fc.string({ unit: 'binary', maxLength: 8 });
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }),
        fc.oneof(fc.string(), text),
        fc.oneof(text, fc.domain()),
        (prefix, tail, domain) => {
          const path = `/${tail}`;
          if (checkCookieAttributes({ prefix, path, domain }).length > 0) return;
          expect(serializeCookie({ ...target, name: `${prefix}_access`, path, domain, value: 'v' })).toContain(
            '; HttpOnly',
          );
        },
      ),
    );
  });

  it.each(['a', 'a.', '-', ';', '/'])('rejects 64 KiB of %j', (unit) => {
    const long = unit.repeat(65_536 / unit.length);
    expect(codes(long, `/${long}`, long)).toEqual(['prefix cookie_prefix', 'path cookie_path', 'domain cookie_domain']);
  });
});
