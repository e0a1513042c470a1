import fc from 'fast-check';
import { csrfCheck, CsrfRules, isSameOrigin } from './csrf';

const rules: CsrfRules = {
  ownOrigin: 'https://iam.test',
  allowedOrigins: ['https://app.test:8443', 'http://localhost:3000'],
};
const check = (origin?: string, secFetchSite?: string, method = 'POST'): string => {
  const result = csrfCheck({ method, origin, secFetchSite }, rules);
  return result === 'ok' ? result : result.failed;
};

describe('csrfCheck', () => {
  it.each([
    ['https://iam.test', undefined, 'ok'],
    ['HTTPS://IAM.test', undefined, 'ok'],
    ['https://app.test:8443', undefined, 'ok'],
    ['https://app.test:8443', 'cross-site', 'ok'],
    ['http://localhost:3000', 'same-site', 'ok'],
    ['https://iam.test', 'cross-site', 'ok'],
    [undefined, undefined, 'ok'],
    [undefined, 'same-origin', 'ok'],
    [undefined, 'none', 'ok'],
    [undefined, 'same-site', 'fetch_site'],
    [undefined, 'cross-site', 'fetch_site'],
    [undefined, '', 'fetch_site'],
    [undefined, 'Same-Origin', 'fetch_site'],
    [undefined, 'none, none', 'fetch_site'],
    [undefined, 'rubbish', 'fetch_site'],
    ['null', undefined, 'origin_null'],
    ['NULL', undefined, 'origin_null'],
    ['null', 'same-origin', 'origin_null'],
    ['https://evil.test', undefined, 'origin'],
    ['https://evil.test', 'same-origin', 'origin'],
    ['https://evil.test', 'none', 'origin'],
    ['http://iam.test', undefined, 'origin'],
    ['https://iam.test:443', undefined, 'origin'],
    ['https://iam.test:8443', undefined, 'origin'],
    ['https://app.test', undefined, 'origin'],
    ['https://iam.test/', undefined, 'origin'],
    ['https://iam.test.', undefined, 'origin'],
    ['https://iam.test.evil.test', undefined, 'origin'],
    ['https://eviliam.test', undefined, 'origin'],
    ['https://x.iam.test', undefined, 'origin'],
    ['https://iam.test@evil.test', undefined, 'origin'],
    ['https://iam.test, https://iam.test', undefined, 'origin'],
    [' https://iam.test', undefined, 'origin'],
    ['iam.test', undefined, 'origin'],
    ['', undefined, 'origin'],
    ['', 'same-origin', 'origin'],
    ['*', undefined, 'origin'],
    ['undefined', undefined, 'origin'],
  ])('checks Origin %j and Sec-Fetch-Site %j: %s', (origin, site, expected) => {
    expect(check(origin, site)).toBe(expected);
  });

  it.each(['GET', 'HEAD', 'OPTIONS', 'TRACE'])('accepts the safe method %s', (method) => {
    expect(check('https://evil.test', 'cross-site', method)).toBe('ok');
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'get', 'PROPFIND', ''])('checks the method %j', (method) => {
    expect(check('https://evil.test', undefined, method)).toBe('origin');
  });

  it.each([
    { ownOrigin: undefined, allowedOrigins: ['null', '*', ''], origin: 'null' },
    { ownOrigin: 'null', allowedOrigins: [], origin: 'null' },
    { ownOrigin: undefined, allowedOrigins: ['*'], origin: 'https://evil.test' },
    { ownOrigin: '', allowedOrigins: [''], origin: '' },
    { ownOrigin: undefined, allowedOrigins: [], origin: 'undefined' },
    { ownOrigin: 'https://kelvin.test', allowedOrigins: [], origin: 'https://\u212aelvin.test' },
  ])('rejects Origin $origin under the invalid rules own $ownOrigin, allowed $allowedOrigins', ({ origin, ...bad }) => {
    expect(csrfCheck({ method: 'POST', origin, secFetchSite: undefined }, bad)).not.toBe('ok');
  });

  it('rejects every other origin', () => {
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          text.map((tail) => `https://iam.test${tail}x`),
        ),
        fc.option(text, { nil: undefined }),
        (origin, site) => {
          expect(check(origin, site)).not.toBe('ok');
        },
      ),
    );
    expect(check('https://iam.test'.repeat(4_096))).toBe('origin');
    expect(check('A'.repeat(65_536))).toBe('origin');
  });
});

describe('isSameOrigin', () => {
  it('ignores the case of an origin', () => {
    fc.assert(
      fc.property(fc.webUrl(), (url) => {
        const { origin } = new URL(url);
        expect(isSameOrigin(origin, origin.toUpperCase())).toBe(true);
      }),
    );
  });
});
