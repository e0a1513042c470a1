import fc from 'fast-check';
import { maskPhone, normalizePhone } from './phone';

const anyText = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units));

describe('normalizePhone', () => {
  it.each([
    { value: '+8613800138000', region: 'CN', e164: '+8613800138000' },
    { value: '13800138000', region: 'CN', e164: '+8613800138000' },
    { value: '13800138000', region: 'cn', e164: '+8613800138000' },
    { value: '0086 138 0013 8000', region: 'CN', e164: '+8613800138000' },
    { value: '+86 (138) 0013-8000', region: 'US', e164: '+8613800138000' },
    { value: '010-12345678', region: 'CN', e164: '+861012345678' },
    { value: '(415) 555-2671', region: 'US', e164: '+14155552671' },
    { value: '+14155552671', region: 'CN', e164: '+14155552671' },
    { value: '+14155552671', region: 'nowhere', e164: '+14155552671' },
    { value: '+33 6 12 34 56 78', region: '', e164: '+33612345678' },
    { value: '\u202a+86 138 0013 8000\u202c', region: 'US', e164: '+8613800138000' },
    { value: '\u2066138\u00a00013\u00a08000\u2069', region: 'CN', e164: '+8613800138000' },
    { value: '138\u20110013\u20118000', region: 'CN', e164: '+8613800138000' },
    { value: '138–0013—8000', region: 'CN', e164: '+8613800138000' },
    { value: '＋８６１３８００１３８０００', region: 'CN', e164: '+8613800138000' },
    { value: '+٨٦١٣٨٠٠١٣٨٠٠٠', region: 'CN', e164: '+8613800138000' },
    { value: 'tel:+8613800138000', region: 'CN', e164: '+8613800138000' },
    { value: 'TEL:+86-138-0013-8000', region: 'CN', e164: '+8613800138000' },
    { value: '010/12345678', region: 'CN', e164: '+861012345678' },
    { value: 'sms:+8613800138000', region: 'US', e164: '+8613800138000' },
    { value: 'callto:+8613800138000', region: 'CN', e164: '+8613800138000' },
    { value: '(+86)13800138000', region: 'US', e164: '+8613800138000' },
    { value: '（＋８６）138 0013 8000', region: 'US', e164: '+8613800138000' },
    { value: '１３８ー００１３ー８０００', region: 'CN', e164: '+8613800138000' },
    { value: '138−0013−8000', region: 'CN', e164: '+8613800138000' },
    { value: '138·0013·8000', region: 'CN', e164: '+8613800138000' },
    { value: '138・0013・8000', region: 'CN', e164: '+8613800138000' },
    { value: '+86\t13800138000', region: 'US', e164: '+8613800138000' },
    { value: '13800138000，', region: 'CN', e164: '+8613800138000' },
    { value: '13800138000。', region: 'CN', e164: '+8613800138000' },
    { value: '138.0013.8000', region: 'CN', e164: '+8613800138000' },
    { value: '8613800138000', region: 'CN', e164: '+8613800138000' },
    { value: '+86 (0)138 0013 8000', region: 'US', e164: '+8613800138000' },
    { value: '+61 0412 345 678', region: 'CN', e164: '+61412345678' },
    { value: '+39 06 6982 1234', region: 'CN', e164: '+390669821234' },
    { value: '១៣៨០០១៣៨០០០', region: 'CN', e164: '+8613800138000' },
    { value: ' +8613800138000\n', region: 'CN', e164: '+8613800138000' },
  ])('normalizes $value in $region to $e164', ({ value, region, e164 }) => {
    expect(normalizePhone(value, region)).toBe(e164);
  });

  it.each([
    ['the empty text', ''],
    ['only a plus', '+'],
    ['only signs', '((()))---'],
    ['two plus', '++8613800138000'],
    ['too short', '+861380013'],
    ['too long', '+861380013800012345'],
    ['an unassigned range', '+8610000000001'],
    ['an unassigned country code', '+0013800138000'],
    ['premium rate', '+19005551234'],
    ['toll free', '+18005551234'],
    ['words around', 'call +8613800138000 now'],
    ['letters', '1-800-FLOWERS'],
    ['an extension', '+8613800138000 ext. 5'],
    ['an extension by ;', '+8613800138000;ext=5'],
    ['a phone context', '13800138000;phone-context=+86'],
    ['two numbers', '+8613800138000,+8613800138001'],
    ['a newline and more', '+8613800138000\r\n+8613800138001'],
    ['a NUL', '+8613800138000\0'],
    ['an array', ['+8613800138000']],
    ['a number', 13800138000],
    ['null', null],
  ])('rejects %s', (_name, value: unknown) => {
    expect(normalizePhone(value, 'CN')).toBeUndefined();
  });

  it('reads a national number only in a known region', () => {
    expect(normalizePhone('13800138000', 'nowhere')).toBeUndefined();
    expect(normalizePhone('13800138000', '__proto__')).toBeUndefined();
    expect(normalizePhone('13800138000', 'US')).toBeUndefined();
  });

  it('returns a number that normalizes to itself, and never throws', () => {
    const nearly = fc
      .array(fc.constantFrom(...Array.from('+0123456789 ()-.')), { maxLength: 20 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(anyText, nearly), fc.oneof(anyText, fc.constantFrom('CN', 'US', 'GB')), (text, region) => {
        const phone = normalizePhone(text, region);
        if (phone === undefined) return;
        expect(phone).toMatch(/^\+[1-9]\d{4,14}$/);
        expect(normalizePhone(phone, '')).toBe(phone);
      }),
    );
    const started = performance.now();
    expect(normalizePhone('+1'.repeat(500_000), 'CN')).toBeUndefined();
    expect(normalizePhone('1'.repeat(1_000_000), 'CN')).toBeUndefined();
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});

describe('maskPhone', () => {
  it.each([
    { value: '+8613812341234', masked: '+86138****1234' },
    { value: '+14155552671', masked: '+141****2671' },
    { value: '+8613812341234\n', masked: '****' },
    { value: '13812341234', masked: '****' },
    { value: '+123', masked: '****' },
    { value: '', masked: '****' },
  ])('masks $value as $masked', ({ value, masked }) => {
    expect(maskPhone(value)).toBe(masked);
  });
});
