import fc from 'fast-check';
import { isAvatarUrl } from './avatar';

const anyText = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units));

describe('isAvatarUrl', () => {
  it.each([
    '/api/avatar/a.svg',
    '/api/avatar/018f_A-z9.svg',
    `/api/avatar/${'s'.repeat(64)}.svg`,
    'https://example.com',
    'https://example.com/a/b.png?size=80&x=%20#top',
    'https://example.com:8443/@ann/me.png',
    'HTTPS://Example.com/a.png',
    `https://example.com/${'a'.repeat(480)}`,
  ])('accepts %s', (value) => {
    expect(isAvatarUrl(value)).toBe(true);
  });

  it.each([
    '',
    '/api/avatar/.svg',
    '/api/avatar/a.svg\n',
    '/api/avatar/a.svg?x',
    '/api/avatar/../me.svg',
    '/api/avatar/a%2fb.svg',
    '/api/avatar/a.png',
    `/api/avatar/${'s'.repeat(65)}.svg`,
    '//evil.example/api/avatar/a.svg',
    '/api/auth/logout',
    'api/avatar/a.svg',
    'http://example.com/a.png',
    'https:evil.example',
    'https:/evil.example',
    'https:\\\\evil.example',
    'https://',
    'https:///a.png',
    'https://?a',
    'https://example.com\\a.png',
    'https://ann@example.com/a.png',
    'https://ann:pw@example.com/a.png',
    'https://@example.com/a.png',
    'https://:@example.com/a.png',
    'https://exa\tmple.com',
    'https://example.com/a b.png',
    'https://example.com/"onerror="x',
    'https://example.com/<svg>',
    'https://example.com/a.png\n',
    ' https://example.com/a.png',
    'https://exämple.com/a.png',
    'https://example.com:99999/a.png',
    'https://[::1/a.png',
    'javascript:alert(1)',
    'JavaScript:alert(1)//https://example.com',
    'data:image/svg+xml,<svg/>',
    `https://example.com/${'a'.repeat(481)}`,
    ['https://example.com/a.png'],
    { toString: () => 'https://example.com/a.png' },
    1,
    null,
    undefined,
  ])('rejects %j', (value: unknown) => {
    expect(isAvatarUrl(value)).toBe(false);
  });

  it('accepts only avatar paths and https URLs without credentials, and never throws', () => {
    const nearly = anyText.map((text) => `https://${text}`);
    fc.assert(
      fc.property(fc.oneof(anyText, nearly, fc.webUrl({ validSchemes: ['https', 'http'] })), (text) => {
        if (!isAvatarUrl(text)) return;
        const url = new URL(text, 'https://own.example');
        expect([url.protocol, url.username, url.password]).toEqual(['https:', '', '']);
      }),
    );
  });
});
