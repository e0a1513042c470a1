import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTexts } from '../../../test/support/documents/texts';
import { isLanguage, TranslatorService } from './translator.service';

describe('TranslatorService', () => {
  const folder = mkdtempSync(join(tmpdir(), 'texts-'));
  let translator: TranslatorService;

  beforeAll(async () => {
    const write = (language: string, texts: object): void => {
      mkdirSync(join(folder, language));
      writeFileSync(join(folder, language, 'errors.json'), JSON.stringify(texts));
    };
    write('en', {
      codes: {
        hello: 'Hello {name} of {place}',
        only_here: 'English',
        reference: '$t(codes.only_here) {name}',
        members: { one: '{count} member', other: '{count} members' },
      },
    });
    write('zh', { codes: { hello: '你好，{place}的{name}', members: { other: '{count} 名成员' } } });
    translator = await readTexts(folder);
  });

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('fills in values in the order of each language', () => {
    const params = { name: 'Ann', place: 'Ely' };
    expect(translator.text('en', 'errors', 'codes.hello', params)).toBe('Hello Ann of Ely');
    expect(translator.text('zh', 'errors', 'codes.hello', params)).toBe('你好，Ely的Ann');
  });

  it.each(['{place}', '{{place}}', '$t(codes.only_here)', '<b>&amp;</b>', '$&', '$1', 'a:b.c'])(
    'inserts the value %j literally',
    (name) => {
      expect(translator.text('en', 'errors', 'codes.hello', { name, place: 'Ely' })).toBe(`Hello ${name} of Ely`);
    },
  );

  it('does not expand a reference within a text', () => {
    expect(translator.text('en', 'errors', 'codes.reference', { name: 'Ann' })).toBe('$t(codes.only_here) Ann');
  });

  it('removes a placeholder without a value', () => {
    expect(translator.text('en', 'errors', 'codes.hello', { name: 'Ann' })).toBe('Hello Ann of ');
  });

  it.each([
    ['en', 1, '1 member'],
    ['en', 2, '2 members'],
    ['en', 0, '0 members'],
    ['zh', 1, '1 名成员'],
  ] as const)('selects the plural form of %s for %i', (language, count, text) => {
    expect(translator.text(language, 'errors', 'codes.members', { count })).toBe(text);
  });

  it.each(['codes', 'codes.constructor', 'codes.toString', '__proto__', 'codes.hello.length'])(
    'treats %s, which is not a text, as missing',
    (key) => {
      expect(translator.text('en', 'errors', key)).toBe(key);
      expect(translator.has('en', 'errors', key)).toBe(false);
    },
  );

  it('rejects a folder without one of the languages', async () => {
    await expect(readTexts(join(folder, 'en'))).rejects.toThrow('No texts found for en, zh');
  });

  it('falls back to English, then to the key', () => {
    expect(translator.text('zh', 'errors', 'codes.only_here')).toBe('English');
    expect(translator.text('zh', 'errors', 'codes.nowhere')).toBe('codes.nowhere');
    expect([
      translator.has('zh', 'errors', 'codes.only_here'),
      translator.has('en', 'errors', 'codes.only_here'),
    ]).toEqual([false, true]);
  });

  it.each([
    ['en', true],
    ['zh', true],
    ['EN', false],
    ['fr', false],
    ['', false],
    [undefined, false],
    [['en'], false],
  ])('recognizes %j as a language: %j', (value, known) => {
    expect(isLanguage(value)).toBe(known);
  });
});
