import fc from 'fast-check';
import { LanguagePreferences, negotiateLanguage } from './language';

const SUPPORTED = ['en', 'zh'];
const language = (preferences: Partial<LanguagePreferences>, supported: readonly string[] = SUPPORTED): string =>
  negotiateLanguage({ fallback: 'en', ...preferences }, supported);

describe('negotiateLanguage', () => {
  it.each([
    [{}, 'en'],
    [{ fallback: 'zh' }, 'zh'],
    [{ fallback: 'zh', acceptLanguage: 'en' }, 'en'],
    [{ cookie: 'zh', acceptLanguage: 'en' }, 'zh'],
    [{ userLocale: 'en', cookie: 'zh', acceptLanguage: 'zh' }, 'en'],
    [{ query: 'zh', userLocale: 'en', cookie: 'en', acceptLanguage: 'en' }, 'zh'],
    [{ query: null, userLocale: null, cookie: null, acceptLanguage: null }, 'en'],
    [{ query: 'fr', userLocale: 'zh' }, 'zh'],
    [{ query: '', userLocale: '', cookie: 'zh' }, 'zh'],
    [{ userLocale: 'rubbish', cookie: '../../x', acceptLanguage: 'zh' }, 'zh'],
  ])('negotiates from %j: %s', (preferences, expected) => {
    expect(language(preferences)).toBe(expected);
  });

  it.each([
    ['zh', 'zh'],
    ['ZH', 'zh'],
    ['zh-CN', 'zh'],
    ['zh-Hans', 'zh'],
    ['zh-hans-cn', 'zh'],
    ['zh-TW', 'zh'],
    ['zh_CN', 'zh'],
    ['zh-', 'zh'],
    ['zhx', 'en'],
    ['z', 'en'],
    ['-zh', 'en'],
    ['zh;q=1', 'en'],
    ['zh\n', 'en'],
    ['zh CN', 'en'],
    ['*', 'en'],
    ['__proto__', 'en'],
    [`zh-${'a'.repeat(40)}`, 'en'],
  ])('matches the tag %j to %s', (query, expected) => {
    expect(language({ query })).toBe(expected);
  });

  it.each([
    ['zh', 'zh'],
    ['zh-CN,zh;q=0.9,en;q=0.8', 'zh'],
    ['en-GB,en;q=0.9,zh;q=0.8', 'en'],
    ['en;q=0.5, zh;q=0.9', 'zh'],
    ['en ; q=0.5 , zh ; Q=0.501', 'zh'],
    ['zh, en', 'zh'],
    ['fr, zh;q=0.1', 'zh'],
    ['fr', 'en'],
    ['*', 'en'],
    ['fr, *;q=0.5', 'en'],
    ['zh;q=0.5, *', 'en'],
    ['en;q=0.2, *;q=0.5', 'zh'],
    ['*, zh', 'en'],
    ['zh, *', 'zh'],
    ['en;q=0, *', 'zh'],
    ['zh;q=0', 'en'],
    ['en;q=0', 'en'],
    ['zh;q=0.000, en;q=0.001', 'en'],
    ['zh;q=1.000', 'zh'],
    ['zh;q=1., en;q=0.', 'zh'],
    ['zh;q=2', 'en'],
    ['zh;q=-1', 'en'],
    ['zh;q=1.001', 'en'],
    ['zh;q=0.1234', 'en'],
    ['zh;q=1e1', 'en'],
    ['zh;q=NaN', 'en'],
    ['zh;q=', 'en'],
    ['zh;q', 'en'],
    ['zh;', 'en'],
    ['zh;level=1', 'en'],
    ['zh;q=1;q=1', 'en'],
    [',,;;,=, zh', 'zh'],
    ['zh\u0000, en;q=0.1', 'en'],
    ['', 'en'],
    [' ', 'en'],
  ])('negotiates from Accept-Language %j: %s', (acceptLanguage, expected) => {
    expect(language({ acceptLanguage })).toBe(expected);
  });

  it('prefers the fallback if the header is indifferent', () => {
    expect(language({ acceptLanguage: '*', fallback: 'zh' })).toBe('zh');
  });

  it('reads at most 32 entries', () => {
    expect(language({ acceptLanguage: `${'fr,'.repeat(31)}zh` })).toBe('zh');
    expect(language({ acceptLanguage: `${'fr,'.repeat(32)}zh` })).toBe('en');
  });

  it('matches the longest supported tag', () => {
    expect(language({ query: 'zh-Hant-TW' }, ['en', 'zh', 'zh-Hant'])).toBe('zh-Hant');
    expect(language({ acceptLanguage: 'zh-Hant-TW' }, ['en', 'zh', 'zh-Hant'])).toBe('zh-Hant');
  });

  it('returns a supported language if the fallback is not supported', () => {
    expect(language({ fallback: 'fr' }, ['zh', 'en'])).toBe('zh');
    expect(language({ fallback: 'zh-CN' })).toBe('zh');
  });

  it('returns a supported language for arbitrary input', () => {
    const text = fc.option(fc.string({ unit: 'binary' }), { nil: undefined });
    fc.assert(
      fc.property(text, text, text, text, (query, userLocale, cookie, acceptLanguage) => {
        expect(SUPPORTED).toContain(language({ query, userLocale, cookie, acceptLanguage }));
      }),
    );
  });

  it.each([',', ';', '-', 'zh-', 'q=', 'zh;q=0.1,', ' ', '*', 'a', '0', '_'])('parses 64 KiB of %j', (unit) => {
    const long = unit.repeat(Math.ceil(65_536 / unit.length));
    expect(SUPPORTED).toContain(language({ query: long, userLocale: long, cookie: long, acceptLanguage: long }));
    expect(SUPPORTED).toContain(language({ acceptLanguage: `zh;q=0.${long}` }));
  });
});
