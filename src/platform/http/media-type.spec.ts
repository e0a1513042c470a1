import fc from 'fast-check';
import { isForm, isJson, prefersHtml, prefersJson } from './media-type';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

describe.each([
  { read: isJson, type: JSON_TYPE, other: FORM_TYPE },
  { read: isForm, type: FORM_TYPE, other: JSON_TYPE },
])('$type', ({ read, type, other }) => {
  it.each([
    '',
    ';charset=utf-8',
    '; charset=utf-8',
    ' ; Charset=UTF-8',
    '; charset="utf-8"',
    ';   charset=Utf-8',
    '; charset=utf8',
    ';charset="UTF8"',
    '; charset=us-ascii',
    ';',
    ';charset=utf-8;',
    ';charset=utf-8; boundary=x',
    '; odata=verbose',
    ';profile="https://example.com/a b;c"',
    String.raw`; title="a \"quoted\" part"`,
    '; v=1; ; ieee754compatible=true',
  ])('accepts the type followed by %j', (tail) => {
    expect(read(type + tail)).toBe(true);
    expect(read(type.toUpperCase() + tail)).toBe(true);
  });

  it.each([
    '\ta',
    '\t',
    ' ',
    ' x',
    'x',
    '-patch',
    '+json',
    '; ',
    ';x',
    ';charset',
    ';charset=',
    ';=x',
    ';x="open',
    ';charset=gbk',
    '; v=1; charset="Shift_JIS"',
    ';char\u017fet=utf-8',
    ';charset=utf-16',
    ';charset=iso-8859-1',
    ';charset="utf-8',
    ";charset='utf-8'",
    ';charset= utf-8',
    ';charset =utf-8',
    ';charset=utf-8; charset=utf-16',
    ';\tcharset=utf-8',
    '\t;charset=utf-8',
    ';charset=utf-8 ',
    ';charset=utf-8\n',
    '\r\n',
    '\n',
    '\u0000',
    '\u00a0',
    ', application/json',
    ', text/plain',
    '/x',
  ])('rejects the type followed by %j', (tail) => {
    expect(read(type + tail)).toBe(false);
  });

  it.each([
    ` ${type}`,
    `\t${type}`,
    `x${type}`,
    `"${type}"`,
    type.slice(1),
    type.replace('/', ' / '),
    type.replace('c', '\u0441'),
  ])('rejects %j', (text) => {
    expect(read(text)).toBe(false);
  });

  it('rejects other types', () => {
    for (const text of [undefined, '', other, 'text/plain', '*/*', 'multipart/form-data; boundary=x']) {
      expect(read(text)).toBe(false);
    }
  });

  it('rejects the type with any other text around it', () => {
    const text = fc.string({ unit: 'binary', minLength: 1 });
    fc.assert(
      fc.property(text, (around) => {
        expect(read(around + type)).toBe(false);
        expect(read(`${type}${around}x`)).toBe(false);
      }),
    );
  });

  it.each([' ', ';', '; ', ' ;charset=utf-8', ';x=', ';x="', String.raw`;x="\\`])(
    'rejects 64 KiB of %j before another type at once',
    (unit) => {
      const from = performance.now();
      expect(read(`${type}${unit.repeat(Math.ceil(65_536 / unit.length))}, x`)).toBe(false);
      expect(performance.now() - from).toBeLessThan(500);
    },
  );
});

describe('prefersHtml', () => {
  it.each([
    'text/html',
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'TEXT/HTML , */*',
    '*/*, text/html',
    'text/html, application/json',
    'application/json; q=0.4, text/html; Q=0.5',
    'application/json;q=0, */*',
    'text/*',
    'text/html;level=1;q=0.2, application/json;q=0.1',
    'text/html;q=0.001',
  ])('is true for %s', (accept) => {
    expect(prefersHtml(accept)).toBe(true);
  });

  it.each([
    undefined,
    '',
    '*/*',
    'application/json',
    'application/json, text/html;q=0.1',
    'text/html;q=0.5, */*',
    'text/html;q=0, */*',
    'text/html ; q=0.000',
    'text/html;level=1;q=0.2, application/json',
    'application/json, text/html',
    'application/*, text/html;q=0.9',
    'application/json, text/plain, */*',
    'application/problem+json, text/html;q=0.1',
    'application/vnd.x+json;q=0.1, application/json, text/html;q=0.5',
    'text/htmlx',
    'application/json;q=0',
    'text/html;q=x',
    'image/*',
    ',;,q=1',
  ])('is false for %s', (accept) => {
    expect(prefersHtml(accept)).toBe(false);
  });

  it.each([
    ['application/json', true],
    ['application/json, text/html;q=0.1', true],
    ['application/json, text/plain, */*', true],
    ['application/problem+json', true],
    ['text/html, application/json;q=0.1', false],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', false],
    ['application/json;q=0', false],
    ['*/*', false],
    [undefined, false],
  ])('finds in %s that JSON is preferred: %s', (accept, isPreferred) => {
    expect(prefersJson(accept)).toBe(isPreferred);
  });

  it('reads hostile headers in time that grows with their length', () => {
    for (const part of ['text/html;', ',', ';q=', ' ', 'text/html ,']) {
      const started = performance.now();
      prefersHtml(part.repeat(200_000));
      expect(performance.now() - started).toBeLessThan(1_000);
    }
  });
});
