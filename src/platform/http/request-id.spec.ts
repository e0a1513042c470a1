import fc from 'fast-check';
import { echoedRequestId, requestIdFrom } from './request-id';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('requestIdFrom', () => {
  it.each(['a', 'A.b_c-9', '0'.repeat(64), '..', '-'])('keeps %s', (header) => {
    expect(requestIdFrom(header)).toBe(header);
  });

  it.each([
    undefined,
    '',
    ' ',
    'a b',
    'a\n',
    'a\r\nb',
    'a/b',
    '<x>',
    'é',
    '\u212a',
    'a'.repeat(65),
    'a'.repeat(65_536),
    ['a'],
    ['a', 'b'],
  ])('replaces %j with a UUID v7', (header) => {
    expect(requestIdFrom(header)).toMatch(UUID_V7);
  });

  it('creates a new id each time', () => {
    expect(requestIdFrom(undefined)).not.toBe(requestIdFrom(undefined));
  });

  it('returns an id that is safe in headers and log lines', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (header) => {
        expect(requestIdFrom(header)).toMatch(/^[A-Za-z0-9._-]{1,64}$/);
      }),
    );
  });
});

describe('echoedRequestId', () => {
  it.each(['a', 'a/b: c?d', '<x>', '~'.repeat(256)])('keeps %s', (header) => {
    expect(echoedRequestId(header)).toBe(header);
  });

  it.each([undefined, '', ' ', ' a', 'a ', 'a\n', 'a\r\nb', 'é', '\u007f', 'a'.repeat(257), ['a', 'b']])(
    'keeps nothing of %j',
    (header) => {
      expect(echoedRequestId(header)).toBeUndefined();
    },
  );
});
