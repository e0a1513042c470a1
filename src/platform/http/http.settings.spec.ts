import { allowedOrigins } from './http.settings';

describe('security.allowed_origins', () => {
  it.each(['https://app.example.com', 'http://localhost:3000', 'http://[::1]:8080', 'https://xn--fiq.example'])(
    'takes %s',
    (origin) => {
      expect(allowedOrigins.kind.parse([origin])).toEqual({ value: [origin] });
    },
  );

  it.each([
    'https://*.a.example',
    'https://*',
    'https://a.example/',
    'https://a.example:443',
    'https://A.example',
    'https://me@a.example',
    'https://a!b.example',
    'ftp://a.example',
    'null',
    '*',
    '',
  ])('refuses %j, which no browser sends as an origin', (origin) => {
    expect(allowedOrigins.kind.parse([origin])).toEqual({ violation: 'origin' });
  });
});
