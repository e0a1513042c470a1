import fc from 'fast-check';
import { cleanUserAgent, describeDevice } from './client-device';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const CHROME = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/126.0.0.0 Safari/537.36`;
const IOS = 'AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';
const unknown = { name: 'unknown', os: 'unknown', browser: 'unknown', type: 'unknown' };

describe('describeDevice', () => {
  it.each([
    [CHROME, 'Chrome on Windows', 'desktop'],
    [`${CHROME} Edg/126.0.0.0`, 'Microsoft Edge on Windows', 'desktop'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0', 'Firefox on Linux', 'desktop'],
    [`Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${IOS}`, 'Safari on iOS', 'mobile'],
    [`Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) ${IOS}`, 'Safari on iOS', 'tablet'],
    [
      `Mozilla/5.0 (Linux; Android 14; Pixel 8) ${WEBKIT} Chrome/126.0.0.0 Mobile Safari/537.36`,
      'Chrome on Android',
      'mobile',
    ],
    ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'Googlebot', 'bot'],
    [
      'Mozilla/5.0 (SMART-TV; Linux; Tizen 7.0) SamsungBrowser/4.0 Chrome/94 TV Safari/537.36',
      'Samsung Internet for Android on Tizen',
      'tv',
    ],
    ['curl/8.5.0', 'curl', 'unknown'],
    ['okhttp/4.12.0', 'okhttp', 'unknown'],
    ['My App/1.0 (build 7)', 'My App', 'unknown'],
  ])('describes %s as %s, %s', (userAgent, name, type) => {
    expect(describeDevice(userAgent)).toMatchObject({ name, type });
  });

  it('separates browser and operating system', () => {
    expect(describeDevice(CHROME)).toEqual({
      name: 'Chrome on Windows',
      os: 'Windows',
      browser: 'Chrome',
      type: 'desktop',
    });
  });

  it.each([
    undefined,
    '',
    ' ',
    'rubbish',
    'Mozilla/5.0',
    '<b>x</b>/1 y',
    '\u0000\u001b[31m',
    '😀'.repeat(300),
    '__proto__',
    'constructor/1 x/',
  ])('finds no device type and no system in %j', (userAgent) => {
    const { type, os } = describeDevice(userAgent);
    expect({ type, os }).toEqual({ type: unknown.type, os: unknown.os });
    expect(describeDevice(userAgent).name).toMatch(/^[A-Za-z]+$/);
  });

  it('returns only short plain names', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.string().map((text) => `${text}/1 (x)`),
        ),
        (userAgent) => {
          expect(describeDevice(userAgent).name).toMatch(/^[A-Za-z0-9 ._!+-]{1,140}$/);
        },
      ),
    );
  });

  it.each(['a', '/', ' ', '(', 'Mozilla/5.0 ', 'nexus ', '/ (', '1.', 'opt/1', '\u0000', '\ud800'])(
    'parses 64 KiB of %j',
    (unit) => {
      expect(describeDevice(unit.repeat(65_536 / unit.length)).name).toMatch(/./);
    },
  );
});

describe('cleanUserAgent', () => {
  it.each([
    [undefined, ''],
    ['  a  ', 'a'],
    ['a\r\nb\u0000c\u001b[0m\u007f\u0085', 'abc[0m'],
    ['a\u2028\u2029\u202e\u200bb', 'ab'],
    ['a\ud800b', 'ab'],
    ['x'.repeat(600), 'x'.repeat(512)],
    [`${'x'.repeat(511)}😀`, 'x'.repeat(511)],
  ])('cleans %j to %j', (userAgent, clean) => {
    expect(cleanUserAgent(userAgent)).toBe(clean);
  });

  it('returns well-formed, short text without control characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 1_000 }), (text) => {
        expect(cleanUserAgent(text)).toMatch(/^[^\p{Cc}\p{Cs}]{0,512}$/u);
      }),
    );
  });
});
