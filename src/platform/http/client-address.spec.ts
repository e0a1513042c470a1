import fc from 'fast-check';
import { clientAddress, limitKey, UNKNOWN_ADDRESS } from './client-address';
import { ProxyTrust } from './proxy-trust';

const trust = ProxyTrust.parse('loopback,10.0.0.0/8,fd00::/8');

describe('clientAddress', () => {
  it.each([
    { peer: '203.0.113.9', header: undefined, client: '203.0.113.9' },
    { peer: '203.0.113.9', header: '198.51.100.1', client: '203.0.113.9' },
    { peer: '203.0.113.9', header: '127.0.0.1', client: '203.0.113.9' },
    { peer: '127.0.0.1', header: undefined, client: '127.0.0.1' },
    { peer: '127.0.0.1', header: '', client: '127.0.0.1' },
    { peer: '127.0.0.1', header: ' , ,, ', client: '127.0.0.1' },
    { peer: '127.0.0.1', header: '198.51.100.1', client: '198.51.100.1' },
    { peer: '::ffff:127.0.0.1', header: '198.51.100.1', client: '198.51.100.1' },
    { peer: '127.0.0.1', header: '1.1.1.1, 198.51.100.1', client: '198.51.100.1' },
    { peer: '127.0.0.1', header: '1.1.1.1,198.51.100.1,10.1.2.3', client: '198.51.100.1' },
    { peer: '127.0.0.1', header: '198.51.100.1, ,10.1.2.3,', client: '198.51.100.1' },
    { peer: '127.0.0.1', header: '10.0.0.9, 10.0.0.8, 127.0.0.1', client: '10.0.0.9' },
    { peer: '127.0.0.1', header: '::ffff:198.51.100.1', client: '198.51.100.1' },
    { peer: '127.0.0.1', header: '198.51.100.1:51234', client: '198.51.100.1' },
    { peer: '127.0.0.1', header: '[2001:DB8::1]', client: '2001:db8::1' },
    { peer: '127.0.0.1', header: '[2001:db8::1]:443', client: '2001:db8::1' },
    { peer: '127.0.0.1', header: '[::ffff:198.51.100.1]:443', client: '198.51.100.1' },
    { peer: '127.0.0.1', header: '2001:db8:0:0::1', client: '2001:db8::1' },
    { peer: '127.0.0.1', header: ['1.1.1.1', '198.51.100.1, 10.0.0.1'], client: '198.51.100.1' },
    { peer: '127.0.0.1', header: [], client: '127.0.0.1' },
    { peer: 'fe80::1%eth0', header: undefined, client: 'fe80::1' },
    { peer: undefined, header: '198.51.100.1', client: UNKNOWN_ADDRESS },
    { peer: '', header: '198.51.100.1', client: UNKNOWN_ADDRESS },
  ])('returns for peer $peer and header $header: $client', ({ peer, header, client }) => {
    expect(clientAddress(peer, header, trust)).toBe(client);
  });

  it.each([
    'unknown',
    '_hidden',
    'for=198.51.100.1',
    '198.51.100.1 198.51.100.2',
    '198.51.100.1;10.0.0.1',
    '"198.51.100.1"',
    '198.51.100.1:',
    '198.51.100.1:123456',
    '198.51.100.1:80:80',
    '[198.51.100.1]',
    '[2001:db8::1',
    '2001:db8::1]',
    '[2001:db8::1]x',
    '[]',
    '[:]',
    '0x7f.0.0.1',
    '198.51.100.01',
    '198.51.100.1\r\nx: y',
    '198.51.100.1\u0000',
    'localhost',
    '198.51.100.1, rubbish, 10.0.0.1',
  ])('returns the peer for the malformed header %j', (header) => {
    expect(clientAddress('127.0.0.1', header, trust)).toBe('127.0.0.1');
  });

  it('ignores malformed entries left of the client, which clients can send', () => {
    expect(clientAddress('127.0.0.1', '<script>, ::1::, 198.51.100.1, 10.0.0.1', trust)).toBe('198.51.100.1');
  });

  it('ignores the header of an untrusted peer', () => {
    const entry = fc.oneof(fc.ipV4(), fc.ipV6(), fc.string({ unit: 'binary' }), fc.constant('127.0.0.1'));
    fc.assert(
      fc.property(fc.array(entry), (entries) => {
        expect(clientAddress('203.0.113.9', entries.join(','), trust)).toBe('203.0.113.9');
        expect(clientAddress('203.0.113.9', entries, trust)).toBe('203.0.113.9');
      }),
    );
  });

  it('ignores every entry left of the one that the proxy adds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (spoofed) => {
        expect(clientAddress('127.0.0.1', `${spoofed},198.51.100.1`, trust)).toBe('198.51.100.1');
      }),
    );
  });

  it('never throws on arbitrary input', () => {
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(text, text, (peer, header) => {
        expect(typeof clientAddress(peer, header, trust)).toBe('string');
      }),
    );
  });

  it.each([',', '10.0.0.1,', '[', '[::1]:', '1.1.1.1:', 'a', ':', '%', ' '])('parses 64 KiB of %j', (unit) => {
    const header = unit.repeat(Math.ceil(65_536 / unit.length));
    expect(['127.0.0.1', '10.0.0.1']).toContain(clientAddress('127.0.0.1', header, trust));
  });
});

describe('limitKey', () => {
  it.each([
    ['198.51.100.1', '198.51.100.1'],
    ['::ffff:198.51.100.1', '198.51.100.1'],
    ['::ffff:c633:6401', '198.51.100.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::9', '2001:db8:1:3::/64'],
    ['::1', '::/64'],
    ['64:ff9b::c633:6401', '198.51.100.1'],
    ['64:ff9b::198.51.100.2', '198.51.100.2'],
    ['64:ff9b:1::c633:6401', '64:ff9b:1::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['rubbish', 'rubbish'],
    ['', ''],
  ])('counts %s as %s', (address, key) => {
    expect(limitKey(address)).toBe(key);
  });

  it('returns one key for all addresses of a /64', () => {
    const group = fc.integer({ min: 0, max: 0xffff }).map((part) => part.toString(16));
    fc.assert(
      fc.property(fc.tuple(group, group, group, group), (host) => {
        expect(limitKey(`2001:db8:0:7:${host.join(':')}`)).toBe('2001:db8:0:7::/64');
      }),
    );
  });

  it('returns a short key for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(limitKey(text).length).toBeLessThanOrEqual(64);
      }),
    );
    expect(limitKey('f'.repeat(65_536))).toHaveLength(64);
  });
});
