import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLanguage, Translator } from './translator';

describe('Translator', () => {
  const folder = mkdtempSync(join(tmpdir(), 'texts-'));
  let translator: Translator;

  beforeAll(() => {
    const write = (language: string, texts: object): void => {
      mkdirSync(join(folder, language));
      writeFileSync(join(folder, language, 'errors.json'), JSON.stringify(texts));
    };
    write('en', { codes: { hello: 'Hello {name} of {place}', only_here: 'English' } });
    write('zh', { codes: { hello: '你好，{place}的{name}' } });
    translator = new Translator(folder);
  });

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('fills in values, in the order of each language', () => {
    const params = { name: 'Ann', place: 'Ely' };
    expect(translator.text('en', 'errors', 'codes.hello', params)).toBe('Hello Ann of Ely');
    expect(translator.text('zh', 'errors', 'codes.hello', params)).toBe('你好，Ely的Ann');
  });

  it.each(['{place}', '{{place}}', '$t(codes.only_here)', '<b>&amp;</b>', '$&', '$1', 'a:b.c'])(
    'takes the value %j as it is',
    (name) => {
      expect(translator.text('en', 'errors', 'codes.hello', { name, place: 'Ely' })).toBe(`Hello ${name} of Ely`);
    },
  );

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
  ])('knows whether %j is a language: %j', (value, known) => {
    expect(isLanguage(value)).toBe(known);
  });
});
