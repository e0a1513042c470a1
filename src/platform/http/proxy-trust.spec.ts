import fc from 'fast-check';
import { parseAddress, ProxyTrust } from './proxy-trust';

describe('parseAddress', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:C000:0201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:c000:201', '192.0.2.1'],
    ['2001:DB8::1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['fe80::1%eth0.100', 'fe80::1'],
    ['::', '::'],
  ])('parses %s as %s', (text, address) => {
    expect(parseAddress(text)?.toString()).toBe(address);
  });

  it.each([
    '',
    ' ',
    'localhost',
    '1.2.3',
    '1.2.3.4.5',
    '256.1.1.1',
    '010.0.0.1',
    '0x7f.0.0.1',
    '2130706433',
    '1.2.3.4%eth0',
  ])('rejects %j', (text) => {
    expect(parseAddress(text)).toBeUndefined();
  });

  it.each([
    '1.2.3.4\n',
    ' 1.2.3.4',
    '1.2.3.4:80',
    '[::1]',
    ':::',
    '1::2::3',
    '::1/128',
    '::ffff:1.2.3.4.5',
    '%',
    '::1%' + 'a'.repeat(99),
  ])('rejects the legacy form %j', (text) => {
    expect(parseAddress(text)).toBeUndefined();
  });
});

describe('ProxyTrust.parse', () => {
  it.each([
    { list: 'loopback', address: '127.0.0.1', trusted: true },
    { list: 'loopback', address: '127.255.0.9', trusted: true },
    { list: 'loopback', address: '::1', trusted: true },
    { list: 'loopback', address: '::ffff:127.0.0.1', trusted: true },
    { list: 'loopback', address: '::ffff:7f00:1', trusted: true },
    { list: 'LoopBack', address: '127.0.0.1', trusted: true },
    { list: 'loopback', address: '10.0.0.1', trusted: false },
    { list: 'loopback', address: '::2', trusted: false },
    { list: 'linklocal', address: '169.254.1.1', trusted: true },
    { list: 'linklocal', address: 'fe80::1%eth0', trusted: true },
    { list: 'linklocal', address: 'fec0::1', trusted: false },
    { list: 'uniquelocal', address: '10.9.8.7', trusted: true },
    { list: 'uniquelocal', address: '172.31.255.255', trusted: true },
    { list: 'uniquelocal', address: '172.32.0.0', trusted: false },
    { list: 'uniquelocal', address: '192.168.0.1', trusted: true },
    { list: 'uniquelocal', address: 'fd00::1', trusted: true },
    { list: 'uniquelocal', address: '127.0.0.1', trusted: false },
    { list: '192.0.2.1', address: '192.0.2.1', trusted: true },
    { list: '192.0.2.1', address: '192.0.2.2', trusted: false },
    { list: '192.0.2.77/24', address: '192.0.2.255', trusted: true },
    { list: '192.0.2.0/24', address: '192.0.3.0', trusted: false },
    { list: '::ffff:192.0.2.1', address: '192.0.2.1', trusted: true },
    { list: '::ffff:10.0.0.0/104', address: '10.255.0.1', trusted: true },
    { list: '::ffff:10.0.0.0/104', address: '11.0.0.1', trusted: false },
    { list: '2001:db8::/32', address: '2001:db8:ffff::1', trusted: true },
    { list: '2001:db8::/32', address: '2001:db9::1', trusted: false },
    { list: '0.0.0.0/0', address: '203.0.113.9', trusted: true },
    { list: '0.0.0.0/0', address: '2001:db8::1', trusted: false },
    { list: '::/0', address: '203.0.113.9', trusted: false },
    { list: ' loopback , 192.0.2.1 ', address: '192.0.2.1', trusted: true },
    { list: '', address: '127.0.0.1', trusted: false },
    { list: '  ', address: '127.0.0.1', trusted: false },
    { list: 'loopback', address: 'localhost', trusted: false },
    { list: 'loopback', address: '127.0.0.1, evil', trusted: false },
    { list: 'loopback', address: undefined, trusted: false },
  ])('decides for $list whether it trusts $address: $trusted', ({ list, address, trusted }) => {
    expect(ProxyTrust.parse(list).trusts(address)).toBe(trusted);
  });

  it.each([
    'localhost',
    'proxy.example.com',
    '*',
    'true',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/08',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0.0/255.0.0.0',
    '10.0.0',
    '010.0.0.1',
    '2001:db8::/129',
    '::ffff:10.0.0.0/8',
    'fe80::1%eth0',
    '[::1]',
    '127.0.0.1:80',
    'loopback,',
    'loopback,,10.0.0.1',
    'loopback uniquelocal',
    'constructor',
  ])('rejects %j', (list) => {
    expect(() => ProxyTrust.parse(list)).toThrow(/is not a trusted proxy: use loopback/);
  });

  it('names the invalid entry', () => {
    expect(() => ProxyTrust.parse('loopback, 10.0.0.0/99')).toThrow('"10.0.0.0/99"');
  });

  it('neither trusts a malformed address nor throws on it', () => {
    const trust = ProxyTrust.parse('loopback,linklocal,uniquelocal');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(trust.trusts(`x${text}`)).toBe(false);
      }),
    );
    expect(trust.trusts('1.'.repeat(32_768))).toBe(false);
    expect(trust.trusts('a:'.repeat(32_768))).toBe(false);
  });

  it('trusts an IPv4 peer in both spellings', () => {
    const trust = ProxyTrust.parse('loopback,uniquelocal');
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(trust.trusts(`::ffff:${address}`)).toBe(trust.trusts(address));
      }),
    );
  });
});
