import { newTotpSecret, totpStep, totpUri } from './totp';

/** `12345678901234567890`, the secret of RFC 6238 appendix B, in base32. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

describe('TOTP', () => {
  it.each([
    [59, '287082', 1],
    [1_111_111_109, '081804', 37_037_036],
    [1_111_111_111, '050471', 37_037_037],
    [1_234_567_890, '005924', 41_152_263],
    [2_000_000_000, '279037', 66_666_666],
    [20_000_000_000, '353130', 666_666_666],
  ])('accepts at %d seconds the code %s (RFC 6238, appendix B)', (seconds, code, step) => {
    expect(totpStep(SECRET, code, seconds * 1_000)).toBe(step);
  });

  it.each([
    ['two steps late', 2_000_000_000 + 41, undefined],
    ['one step late, to its last second', 2_000_000_000 + 39, 66_666_666],
    ['one step early', 2_000_000_000 - 21, 66_666_666],
    ['two steps early', 2_000_000_000 - 51, undefined],
  ])('evaluates a code %s', (_, seconds, step) => {
    expect(totpStep(SECRET, '279037', seconds * 1_000)).toBe(step);
  });

  it.each(['', '27903', '2790377', '27903a', '279 03', '279038'])('rejects %j', (code) => {
    expect(totpStep(SECRET, code, 2_000_000_000_000)).toBeUndefined();
  });

  it.each(['279 037', ' 279037 ', '279-037', '２７９０３７', '٢٧٩٠٣٧'])(
    'accepts %j, as apps show it and people type it',
    (code) => {
      expect(totpStep(SECRET, code, 2_000_000_000_000)).toBe(66_666_666);
    },
  );

  it('generates a secret of 160 bits and puts it in the URI', () => {
    const secret = newTotpSecret();
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(newTotpSecret()).not.toBe(secret);
    const uri = new URL(totpUri(secret, 'Castellan & Co', 'ann'));
    expect([uri.protocol, uri.host]).toEqual(['otpauth:', 'totp']);
    expect(decodeURIComponent(uri.pathname)).toBe('/Castellan & Co:ann');
    expect(uri.searchParams.get('secret')).toBe(secret);
    expect(uri.searchParams.get('issuer')).toBe('Castellan & Co');
  });

  it('removes colons from the service name, because apps split the label at a colon', () => {
    const uri = new URL(totpUri(SECRET, 'Castellan: Staff', 'ann'));
    expect(decodeURIComponent(uri.pathname)).toBe('/Castellan Staff:ann');
    expect(uri.searchParams.get('issuer')).toBe('Castellan Staff');
  });
});
