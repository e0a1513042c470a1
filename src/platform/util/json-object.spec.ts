import { parseForeignJson } from './json-object';

describe('parseForeignJson', () => {
  it.each<[string, unknown]>([
    ['{"id":1234567890123456789}', { id: '1234567890123456789' }],
    ['{"id":-1234567890123456789}', { id: '-1234567890123456789' }],
    [
      '[9007199254740991,9007199254740992,9007199254740993]',
      [9007199254740991, '9007199254740992', '9007199254740993'],
    ],
    ['{"id":42}', { id: 42 }],
    ['{"a\\"1234567890123456789":"1234567890123456789"}', { 'a"1234567890123456789': '1234567890123456789' }],
    ['["\\\\",1234567890123456789]', ['\\', '1234567890123456789']],
    ['[1234567890123456.5,12345678901234567890e3]', [1234567890123456.5, Number('12345678901234567890e3')]],
    ['1234567890123456789', '1234567890123456789'],
    ['{"n":0.12345678901234568}', { n: 0.12345678901234568 }],
    ['[1e9007199254740993,1E-9007199254740993,-0]', [Infinity, 0, -0]],
  ])('reads %s', (text, value) => {
    expect(parseForeignJson(text)).toEqual(value);
  });

  it.each(['', '{', '{"a":1234567890123456789', '01234567890123456789', '{1234567890123456789:1}'])(
    'rejects %j',
    (text) => {
      expect(() => parseForeignJson(text)).toThrow(SyntaxError);
    },
  );

  it('reads or rejects a megabyte within a second', () => {
    const started = performance.now();
    parseForeignJson(`["${'\\\\'.repeat(250_000)}",${'1'.repeat(500_000)}]`);
    expect(() => parseForeignJson(`{"a":"${'\\"'.repeat(250_000)}${'1'.repeat(500_000)}`)).toThrow(SyntaxError);
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it('reads a long text beside an id', () => {
    const text = 'a'.repeat(15_000_000);
    expect(parseForeignJson(`{"id":1234567890123456789,"picture":"${text}"}`)).toEqual({
      id: '1234567890123456789',
      picture: text,
    });
  });
});
