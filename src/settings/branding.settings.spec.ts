import { appLogo } from './branding.settings';

describe('app.logo', () => {
  it.each(['', '/logo.svg', '/a/b.png?v=1', 'https://cdn.example/logo.png'])('may be %j', (logo) => {
    expect(appLogo.kind.parse(logo)).toEqual({ value: logo });
  });

  it.each([
    // What begins with two slashes is another host's.
    '//evil.example/x.png',
    '/\\evil.example/x.png',
    '/',
    'logo.png',
    'http://cdn.example/logo.png',
    'https://',
    'https:///x.png',
    'https://me:word@cdn.example/x.png',
    'javascript:alert(1)',
    'data:image/svg+xml,x',
    'https://cdn.example/"onerror=',
  ])('may not be %j', (logo) => {
    expect(appLogo.kind.parse(logo)).toEqual({ violation: 'web_address' });
  });
});
