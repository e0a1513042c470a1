import fc from 'fast-check';
import { escapeHtml } from '../../platform/util';
import { fill, placeholdersIn, plainValue } from './placeholders';

describe('placeholders', () => {
  it.each([
    ['{code} for {app}, {code}', ['code', 'app']],
    ['{a_b1}{A}', ['a_b1', 'A']],
    ['.x{color:red} {} { code } {1} {a-b} {a', []],
    ['{{code}}', ['code']],
  ])('finds in %j the names %j', (template, names) => {
    expect(placeholdersIn(template)).toEqual(names);
  });

  it.each([
    ['{code} {code}', { code: '1' }, '1 1'],
    ['{code} {app}', { code: '{app}', app: '$& $1 {code}' }, '{app} $& $1 {code}'],
    ['[{constructor}{toString}{other}]', {}, '[]'],
  ])('fills %j with %j', (template, values, filled) => {
    expect(fill(template, values)).toBe(filled);
  });

  it('inserts any value unchanged', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        expect(fill('<{code}|{app}>', { code: one, app: other })).toBe(`<${one}|${other}>`);
      }),
    );
  });
});

describe('plainValue', () => {
  it.each([
    ['ann', 'ann'],
    [' a\r\nBcc: b@example.com\n', 'a Bcc: b@example.com'],
    ['a\u2028b\u2029c\u202ed\0e', 'a b c d e'],
    ['\ud800', '\ufffd'],
    ['😀'.repeat(300), '😀'.repeat(200)],
  ])('turns %j into one short line', (value, plain) => {
    expect(plainValue(value)).toBe(plain);
  });
});

describe('escapeHtml', () => {
  it('escapes every character of markup', () => {
    expect(escapeHtml(`<a href="x" title='y'>&amp;`)).toBe('&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;');
    fc.assert(fc.property(fc.string(), (text) => !/[<>"']|&(?!amp;|lt;|gt;|quot;|#39;)/.test(escapeHtml(text))));
  });
});
