import fc from 'fast-check';
import { maskEmail, normalizeEmail } from './email';

const anyText = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units));
const label63 = 'd'.repeat(63);

describe('normalizeEmail', () => {
  it.each([
    { value: 'ann@example.com', key: 'ann@example.com' },
    { value: 'Ann.Smith+News@Example.COM', key: 'ann.smith+news@example.com' },
    { value: "o'brien!#$%&*/=?^_`{|}~-@example.com", key: "o'brien!#$%&*/=?^_`{|}~-@example.com" },
    { value: 'a@b.co', key: 'a@b.co' },
    { value: '1@1.example', key: '1@1.example' },
    { value: 'ann@Exämple.com', key: 'ann@xn--exmple-cua.com' },
    { value: 'ann@xn--exmple-cua.com', key: 'ann@xn--exmple-cua.com' },
    { value: 'ann@例え.jp', key: 'ann@xn--r8jz45g.jp' },
    { value: 'ann@example.中国', key: 'ann@example.xn--fiqs8s' },
    { value: `${'l'.repeat(64)}@example.com`, key: `${'l'.repeat(64)}@example.com` },
    { value: `ann@${label63}.com`, key: `ann@${label63}.com` },
  ])('normalizes $value to $key', ({ value, key }) => {
    expect(normalizeEmail(value)).toEqual({ display: value, key });
  });

  it.each([
    ' ann@example.com ',
    'ann@example.com\n',
    '\u3000ann@example.com',
    '\u202dann@example.com\u202c',
    '\u2068ann@example.com\u2069',
    'ann＠example.com',
    'ａｎｎ＠ｅｘａｍｐｌｅ．ｃｏｍ',
    'ann@example。com',
    'ann@example｡com',
    'ann@ex\u00adample.com',
    'ann@ex\u200bample.com',
    '\ufeffann@example.com',
    'mailto:ann@example.com',
    'MailTo:ann@example.com',
    'ann@example.com,',
    'ann@example.com；',
    'ann@example.com。',
    'ann﹫example.com',
    'ann@exam\u2060ple.com',
    '\u200eann@example.com',
  ])('reads %j as people mean it', (value) => {
    expect(normalizeEmail(value)).toEqual({ display: 'ann@example.com', key: 'ann@example.com' });
  });

  it.each([
    ['the empty text', ''],
    ['no @', 'ann.example.com'],
    ['no local part', '@example.com'],
    ['no domain', 'ann@'],
    ['no dot in the domain', 'ann@localhost'],
    ['two @', 'ann@evil.com@example.com'],
    ['a list', 'v@x.com,a@x.com'],
    ['parameters of mailto:', 'mailto:v@x.com?bcc=a@x.com'],
    ['a subject of mailto:', 'mailto:v@x.com?subject=x'],
    ['a list by semicolon', 'v@x.com;a@x.com'],
    ['a header by newline', 'v@x.com\nBcc:a@x.com'],
    ['a header by CRLF', 'v@x.com\r\nBcc: a@x.com'],
    ['a tab inside', 'v\t@x.com'],
    ['a NUL', 'v\0@x.com'],
    ['DEL', 'v\x7f@x.com'],
    ['C1', 'v\x85@x.com'],
    ['a no-break space', 'v\u00a0@x.com'],
    ['a quoted local part', '"a@evil.com x"@corp.com'],
    ['a plain quoted local part', '"ann"@example.com'],
    ['a display name', 'Ann <ann@example.com>'],
    ['angle brackets', '<ann@example.com>'],
    ['markup', '<img>@example.com'],
    ['a comment', 'ann(x)@example.com'],
    ['a comment in the domain', 'ann@(x)example.com'],
    ['a group', 'g:ann@example.com;'],
    ['a backslash', 'ann\\@example.com'],
    ['a non-ASCII local part', 'änn@example.com'],
    ['a Cyrillic letter', 'аnn@example.com'],
    ['a dot in front', '.ann@example.com'],
    ['a dot at the end', 'ann.@example.com'],
    ['two dots', 'a..nn@example.com'],
    ['an address in brackets', 'ann@[127.0.0.1]'],
    ['an IPv4 address', 'ann@127.0.0.1'],
    ['a hidden IPv4 address', 'ann@0x7f.1'],
    ['a full-width IPv4 address', 'ann@１２７.０.０.１'],
    ['digits as last label', 'ann@example.123'],
    ['a dot at the end of the domain', 'ann@example.com.'],
    ['an empty label', 'ann@example..com'],
    ['a hyphen in front', 'ann@-example.com'],
    ['a hyphen at the end', 'ann@example-.com'],
    ['an underscore', 'ann@ex_ample.com'],
    ['a port', 'ann@example.com:25'],
    ['a path', 'ann@example.com/x'],
    ['a percent escape', 'ann@%65xample.com'],
    ['broken punycode', 'ann@xn--a.com'],
    ['a character that maps to a path', 'ann@ex\u2100.com'],
    ['a lone surrogate', 'ann@ex\ud800.com'],
    ['65 in front', `${'l'.repeat(65)}@example.com`],
    ['a label of 64', `ann@${label63}d.com`],
    ['255 in all', `ann@${label63}.${label63}.${label63}.${'d'.repeat(55)}.com`],
    ['254 characters that are more bytes', `ann@${'ä'.repeat(50)}.${'ä'.repeat(50)}.${'ä'.repeat(50)}.com`],
    ['an array', ['ann@example.com']],
    ['two in an array', ['v@x.com', 'a@x.com']],
    ['an object', { toString: () => 'ann@example.com' }],
    ['a number', 1],
    ['null', null],
    ['undefined', undefined],
  ])('rejects %s', (_name, value: unknown) => {
    expect(normalizeEmail(value)).toBeUndefined();
  });

  it('returns a key that normalizes to itself and has no risky characters, and never throws', () => {
    const nearly = fc.tuple(anyText, anyText).map(([local, domain]) => `${local}@${domain}.com`);
    const valid = fc.emailAddress();
    fc.assert(
      fc.property(fc.oneof(anyText, nearly, valid), (text) => {
        const email = normalizeEmail(text);
        if (!email) return;
        expect(email.key).toMatch(/^[\x21-\x7e]{1,64}@[a-z0-9.-]{3,253}$/);
        expect(email.key).not.toMatch(/[A-Z"(),:;<>[\\\]]/);
        expect(normalizeEmail(email.key)).toEqual({ display: email.key, key: email.key });
      }),
    );
  });

  it.each([
    'g:'.repeat(500_000),
    '@'.repeat(1_000_000),
    'a.'.repeat(500_000),
    `a@${'a-'.repeat(500_000)}`,
    'a'.repeat(1_000_000),
  ])('rejects a hostile megabyte within a second (%#)', (text) => {
    const started = performance.now();
    expect(normalizeEmail(text)).toBeUndefined();
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});

describe('maskEmail', () => {
  it.each([
    { value: 'ann@example.com', masked: 'a***@example.com' },
    { value: 'Ann@Exämple.com', masked: 'a***@xn--exmple-cua.com' },
    { value: 'a@example.com', masked: '***@example.com' },
    { value: 'ann', masked: '***' },
    { value: 'ann@example.com\nsecond line', masked: '***' },
    { value: '', masked: '***' },
  ])('masks $value as $masked', ({ value, masked }) => {
    expect(maskEmail(value)).toBe(masked);
  });

  it.each(['a', 'ab', 'abc'])('returns at most 254 characters for %s@…', (local) => {
    const rest = `@${label63}.${label63}.${label63}.co`;
    const address = `${local}${rest.replace('.co', `.${'d'.repeat(254 - local.length - rest.length - 1)}.co`)}`;
    expect(address).toHaveLength(254);
    expect(normalizeEmail(address)).toBeDefined();
    expect(maskEmail(address).length).toBeLessThanOrEqual(254);
  });
});
