import { appLogo, appPrivacy, appSupport, appTerms } from './branding.settings';

describe.each([appLogo, appTerms, appPrivacy, appSupport])('$key', ({ kind }) => {
  it.each(['', '/logo.svg', '/a/b.png?v=1', 'https://cdn.example/logo.png'])('accepts %j', (logo) => {
    expect(kind.parse(logo)).toEqual({ value: logo });
  });

  it.each([
    // Browsers read a leading `//` as the start of another host.
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
  ])('rejects %j', (logo) => {
    expect(kind.parse(logo)).toEqual({ violation: 'web_address' });
  });
});
