import { loopbackOriginOf, originsOf, redirectUriKind } from './redirect-uri';

describe('redirectUriKind', () => {
  it.each([
    ['https://app.example.com/callback', 'https'],
    ['https://app.example.com', 'https'],
    ['https://app.example.com:8443/cb?tenant=1', 'https'],
    ['http://127.0.0.1:5173/cb', 'loopback'],
    ['http://localhost/cb', 'loopback'],
    ['http://[::1]:3000/cb', 'loopback'],
    ['com.example.app:/callback', 'private_use'],
    ['com.example.app://callback', 'private_use'],
    ['com.Example.App:/cb', 'private_use'],
    ['COM.EXAMPLE.APP://Callback', 'private_use'],
    ['https://APP.Example.com/CB', 'https'],
    ['HTTP://LocalHost:3000/cb', 'loopback'],
  ])('classifies %s as %s', (uri, kind) => {
    expect(redirectUriKind(uri)).toBe(kind);
  });

  it.each([
    'http://app.example.com/cb',
    'https://app.example.com/cb#here',
    'https://*.example.com/cb',
    'https://user@app.example.com/cb',
    'https://app.example.com/a/../cb',
    'https://app.example.com/%2e%2e/cb',
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
  ])('rejects %j', (uri) => {
    expect(redirectUriKind(uri)).toBeUndefined();
  });
});

it('originsOf returns the web origins of redirect URIs', () => {
  const uris = ['https://a.example/x', 'https://a.example/y', 'http://127.0.0.1:5173/cb', 'com.example.app:/cb'];
  expect(originsOf(uris)).toEqual(['https://a.example', 'http://127.0.0.1:5173']);
});

it.each([
  ['http://127.0.0.1:51000', 'http://127.0.0.1'],
  ['http://localhost', 'http://localhost'],
  ['http://[::1]:8080', 'http://[::1]'],
  ['https://127.0.0.1:51000', undefined],
  ['http://127.0.0.1.evil.example', undefined],
  ['http://app.example.com', undefined],
  ['null', undefined],
])('loopbackOriginOf %s is %s', (origin, portless) => {
  expect(loopbackOriginOf(origin)).toBe(portless);
});
