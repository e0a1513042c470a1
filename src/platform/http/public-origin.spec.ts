import fc from 'fast-check';
import { ProxyTrust } from './proxy-trust';
import { OriginRules, OriginSource, publicOrigin } from './public-origin';

const trust = ProxyTrust.parse('loopback');
const STRANGER = '203.0.113.9';
const PROXY = '127.0.0.1';

const source = (changes: Partial<OriginSource>): OriginSource => ({
  peer: STRANGER,
  encrypted: false,
  hostHeader: 'iam.test',
  ...changes,
});
const rules = (changes: Partial<OriginRules> = {}): OriginRules => ({ trust, allowedHosts: [], ...changes });

describe('publicOrigin', () => {
  it.each([
    { title: 'plain', from: {}, origin: 'http://iam.test' },
    { title: 'TLS', from: { encrypted: true }, origin: 'https://iam.test' },
    { title: 'upper case', from: { hostHeader: 'IAM.Test:4000' }, origin: 'http://iam.test:4000' },
    { title: 'default http port', from: { hostHeader: 'iam.test:80' }, origin: 'http://iam.test' },
    { title: 'https port on http', from: { hostHeader: 'iam.test:443' }, origin: 'http://iam.test:443' },
    { title: 'default https port', from: { hostHeader: 'iam.test:443', encrypted: true }, origin: 'https://iam.test' },
    { title: 'IPv6', from: { hostHeader: '[0:0::1]:4000' }, origin: 'http://[::1]:4000' },
    { title: 'untrusted peer, proto', from: { forwardedProto: 'https' }, origin: 'http://iam.test' },
    { title: 'untrusted peer, host', from: { forwardedHost: 'evil.test' }, origin: 'http://iam.test' },
    { title: 'proxy, proto', from: { peer: PROXY, forwardedProto: 'HTTPS' }, origin: 'https://iam.test' },
    {
      title: 'mapped proxy, both',
      from: { peer: '::ffff:127.0.0.1', forwardedProto: 'https', forwardedHost: 'a.test:443' },
      origin: 'https://a.test',
    },
    {
      title: 'proxy, the last entry of each',
      from: { peer: PROXY, forwardedProto: 'https, http', forwardedHost: 'evil.test , a.test' },
      origin: 'http://a.test',
    },
    {
      title: 'proxy, several lines',
      from: { peer: PROXY, forwardedProto: ['http', 'https'], forwardedHost: ['evil.test', 'a.test'] },
      origin: 'https://a.test',
    },
    {
      title: 'proxy ending TLS to us',
      from: { peer: PROXY, encrypted: true, forwardedProto: 'http' },
      origin: 'http://iam.test',
    },
    { title: 'proxy, unknown proto', from: { peer: PROXY, forwardedProto: 'wss' }, origin: 'http://iam.test' },
    {
      title: 'proxy, unknown proto over TLS',
      from: { peer: PROXY, encrypted: true, forwardedProto: 'x' },
      origin: 'https://iam.test',
    },
    {
      title: 'proxy, blank headers',
      from: { peer: PROXY, forwardedProto: ' ', forwardedHost: '' },
      origin: 'http://iam.test',
    },
    { title: 'no peer', from: { peer: undefined, forwardedHost: 'evil.test' }, origin: 'http://iam.test' },
  ])('returns for $title: $origin', ({ from, origin }) => {
    const found = publicOrigin(source(from), rules());
    expect(found?.origin).toBe(origin);
    expect(found).toEqual({
      scheme: origin.split(':')[0],
      host: origin.split('//')[1],
      origin,
      secure: origin.startsWith('https'),
    });
  });

  it.each(['evil.test, ', 'a@evil.test', 'evil.test/x', 'iam.test, a b', '"iam.test"', 'iam.test\r\nx: y'])(
    'rejects the malformed forwarded host %j without a fallback',
    (forwardedHost) => {
      expect(publicOrigin(source({ peer: PROXY, forwardedHost }), rules())).toBeUndefined();
    },
  );

  it.each([
    { host: 'iam.test', encrypted: false, allowed: ['iam.test'], ok: true },
    { host: 'IAM.test', encrypted: false, allowed: ['Iam.Test'], ok: true },
    { host: 'iam.test:4000', encrypted: false, allowed: ['iam.test'], ok: true },
    { host: 'iam.test:4000', encrypted: false, allowed: ['iam.test:4000'], ok: true },
    { host: 'iam.test:4001', encrypted: false, allowed: ['iam.test:4000'], ok: false },
    { host: 'iam.test', encrypted: true, allowed: ['iam.test:443'], ok: true },
    { host: 'iam.test', encrypted: false, allowed: ['iam.test:443'], ok: false },
    { host: '[::1]:4000', encrypted: false, allowed: ['[::1]'], ok: true },
    { host: 'evil.test', encrypted: false, allowed: ['iam.test'], ok: false },
    { host: 'iam.test.evil.test', encrypted: false, allowed: ['iam.test'], ok: false },
    { host: 'eviliam.test', encrypted: false, allowed: ['iam.test'], ok: false },
    { host: 'x.iam.test', encrypted: false, allowed: ['iam.test', '.iam.test', '*.iam.test', '*'], ok: false },
    { host: 'iam.test.', encrypted: false, allowed: ['iam.test', 'iam.test.'], ok: false },
    { host: 'bad host', encrypted: false, allowed: ['bad host'], ok: false },
  ])('checks host $host against $allowed: $ok', ({ host, encrypted, allowed, ok }) => {
    expect(publicOrigin(source({ hostHeader: host, encrypted }), rules({ allowedHosts: allowed })) !== undefined).toBe(
      ok,
    );
  });

  it('checks the forwarded host against the allowed hosts', () => {
    const from = source({ peer: PROXY, forwardedHost: 'evil.test' });
    expect(publicOrigin(from, rules({ allowedHosts: ['iam.test'] }))).toBeUndefined();
  });

  describe('with PUBLIC_URL', () => {
    const publicUrl = 'https://Id.Example.com:443/base';

    it.each([
      {
        title: 'ignores the headers of an untrusted peer',
        from: { forwardedHost: 'evil.test', forwardedProto: 'http' },
      },
      {
        title: 'ignores the headers of a proxy',
        from: { peer: PROXY, forwardedHost: 'other.test', forwardedProto: 'http' },
      },
    ])('$title', ({ from }) => {
      expect(publicOrigin(source(from), rules({ publicUrl }))).toEqual({
        scheme: 'https',
        host: 'id.example.com',
        origin: 'https://id.example.com',
        secure: true,
      });
    });

    it.each([
      { url: 'http://id.test:4000', encrypted: false, secure: false },
      { url: 'http://id.test:4000', encrypted: true, secure: true },
      { url: 'https://id.test', encrypted: false, secure: true },
    ])('decides for $url and TLS $encrypted whether cookies are Secure: $secure', ({ url, encrypted, secure }) => {
      const found = publicOrigin(source({ encrypted }), rules({ publicUrl: url }));
      expect(found).toMatchObject({ origin: url, secure });
    });

    it('ignores forwarded https of an untrusted peer', () => {
      const found = publicOrigin(source({ forwardedProto: 'https' }), rules({ publicUrl: 'http://id.test' }));
      expect(found?.secure).toBe(false);
    });

    it.each([
      { host: 'id.example.com', ok: true },
      { host: 'id.example.com:4000', ok: true },
      { host: 'inside.test', ok: true },
      { host: 'evil.test', ok: false },
      { host: '', ok: false },
    ])('accepts its host besides the allowed hosts: $host, $ok', ({ host, ok }) => {
      const found = publicOrigin(source({ hostHeader: host }), rules({ publicUrl, allowedHosts: ['inside.test'] }));
      expect(found?.origin).toBe(ok ? 'https://id.example.com' : undefined);
    });
  });

  it('returns only valid origins for arbitrary headers', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.domain(),
      fc.webAuthority(),
      fc.ipV6().map((ip) => `[${ip}]`),
    );
    fc.assert(
      fc.property(text, text, text, (hostHeader, forwardedHost, forwardedProto) => {
        const found = publicOrigin(source({ peer: PROXY, hostHeader, forwardedHost, forwardedProto }), rules());
        if (found) expect(new URL(found.origin).origin).toBe(found.origin);
      }),
    );
  });

  it('ignores forwarded headers of an untrusted peer', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.domain());
    fc.assert(
      fc.property(text, text, (forwardedHost, forwardedProto) => {
        const found = publicOrigin(source({ forwardedHost, forwardedProto }), rules());
        expect(found).toEqual(publicOrigin(source({}), rules()));
      }),
    );
  });
});

describe('the host of publicOrigin', () => {
  const isHost = (text: string): boolean => publicOrigin(source({ hostHeader: text }), rules()) !== undefined;

  it.each([
    'a',
    'localhost:4000',
    'my_app',
    'xn--bcher-kva.example',
    '1.2.3.4:65535',
    '[2001:db8::1]',
    'a-b.c1',
    'a:1',
  ])('accepts %s', (text) => {
    expect(isHost(text)).toBe(true);
  });

  it.each([
    '',
    ' ',
    'a b',
    ' a',
    'a,b',
    'a/b',
    'a?b',
    'a#b',
    'a\\b',
    'u@a',
    'u:p@a',
    'http://a',
    'a\r\nb',
    'a\n',
    'a\u0000',
    'a:',
    'a:0',
    'a:080',
    'a:65536',
    'a:99999999',
    'a:8x',
    'a:-1',
    'a:1:2',
    '.a',
    'a.',
    'a..b',
    '-a',
    'a-',
    '%61',
    'b\u00fccher.test',
    '\u212aelvin.test',
    '0x7f.1',
    '127.1',
    '010.0.0.1',
    '999.1.1.1',
    '1.2.3.4.5',
    '::1',
    '[::1',
    '[::1]]',
    '[]',
    '[1.2.3.4]',
    '[fe80::1%25eth0]',
    '[::1]x',
    'a'.repeat(64),
    'a.'.repeat(127) + 'aa',
  ])('rejects %j', (text) => {
    expect(isHost(text)).toBe(false);
  });

  it.each(['a', 'a.', '-', '[', ':', '1', '[:', 'a:1'])('rejects 64 KiB of %j', (unit) => {
    expect(isHost(unit.repeat(65_536 / unit.length))).toBe(false);
  });
});
