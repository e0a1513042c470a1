import { originsOf, redirectUriKind } from './redirect-uri';

describe('a redirect address', () => {
  it.each([
    ['https://app.example.com/callback', 'https'],
    ['https://app.example.com', 'https'],
    ['https://app.example.com:8443/cb?tenant=1', 'https'],
    ['http://127.0.0.1:5173/cb', 'loopback'],
    ['http://localhost/cb', 'loopback'],
    ['http://[::1]:3000/cb', 'loopback'],
    ['com.example.app:/callback', 'private_use'],
    ['com.example.app://callback', 'private_use'],
  ])('%s is %s', (uri, kind) => {
    expect(redirectUriKind(uri)).toBe(kind);
  });

  it.each([
    'http://app.example.com/cb',
    'https://app.example.com/cb#here',
    'https://*.example.com/cb',
    'https://user@app.example.com/cb',
    'https://app.example.com/a/../cb',
    'https://app.example.com/%2e%2e/cb',
    'https://APP.example.com/cb',
    'https://app.example.com:443/cb',
    'https:app.example.com/cb',
    'https:\\app.example.com\\cb',
    'https://app.example.com/a b',
    ' https://app.example.com/cb',
    'https://app.example.com/\u0000',
    'https://аpp.example.com/cb',
    'javascript:alert(1)',
    'data:text/html,x',
    'myapp:/cb',
    '//app.example.com/cb',
    '/cb',
    '',
    `https://app.example.com/${'a'.repeat(2_000)}`,
  ])('%j is none', (uri) => {
    expect(redirectUriKind(uri)).toBeUndefined();
  });
});

it('gives the origins whose pages may call the protocol', () => {
  const uris = ['https://a.example/x', 'https://a.example/y', 'http://127.0.0.1:5173/cb', 'com.example.app:/cb'];
  expect(originsOf(uris)).toEqual(['https://a.example', 'http://127.0.0.1:5173']);
});
