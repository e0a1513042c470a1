import { findMalformedKeys } from './input-shape';

const nest = (depth: number, innermost: unknown = 1): unknown =>
  depth === 0 ? innermost : { a: nest(depth - 1, innermost) };

describe('findMalformedKeys', () => {
  it('accepts plain bodies of any width', () => {
    expect(findMalformedKeys({})).toEqual([]);
    expect(findMalformedKeys({ a: 1, b: [1, { c: null }], d: 'constructor' })).toEqual([]);
    expect(findMalformedKeys({ ids: Array.from({ length: 10_000 }, (_, index) => `id-${index}`) })).toEqual([]);
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'])(
    'reports %s at any depth as an unknown field',
    (name) => {
      const held = JSON.parse(`{"${name}":1}`) as object;
      expect(findMalformedKeys(held)).toEqual([{ field: name, code: 'unknown_field' }]);
      expect(findMalformedKeys({ list: [0, { in: held }] })).toEqual([
        { field: `list[1].in.${name}`, code: 'unknown_field' },
      ]);
    },
  );

  it('accepts ten levels and rejects eleven', () => {
    expect(findMalformedKeys(nest(10) as object)).toEqual([]);
    expect(findMalformedKeys(nest(11) as object)).toEqual([
      { field: Array.from({ length: 10 }, () => 'a').join('.'), code: 'depth' },
    ]);
  });

  it('stops at the maximum depth', () => {
    const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`) as object;
    expect(findMalformedKeys({ deep })).toEqual([
      { field: expect.stringMatching(/^deep(\[0\]){9}$/) as string, code: 'depth' },
    ]);
  });
});
