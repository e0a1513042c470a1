import { buildProfile } from './build-profile';
import { ClaimMapping, NO_PRESET } from './preset';
import { Claims } from './provider-calls';
import { ExternalProfile } from './identity-provider';

const profileOf = (claims: Claims, mapping: Partial<ClaimMapping> = {}): ExternalProfile =>
  buildProfile({ sub: '4711', ...claims }, 'https://idp.example', {
    mapping: { ...NO_PRESET.mapping, ...mapping },
    preset: { ...NO_PRESET, emailTrust: 'boolean' },
  });

describe('buildProfile', () => {
  it('ignores claims that the mapping does not name', () => {
    const claims = { '': 'ann@example.com', null: 'ann@example.com', email: 'ann@example.com' };
    expect(profileOf(claims)).toEqual({
      issuer: 'https://idp.example',
      subjects: [{ claim: 'sub', value: '4711' }],
      emailVerified: false,
    });
    expect(profileOf({ ...claims, '': true }, { email: 'email' }).emailVerified).toBe(false);
  });

  it('returns each subject once', () => {
    expect(profileOf({ id: 4711 }, { subject: 'sub|id|sub' }).subjects).toEqual([
      { claim: 'sub', value: '4711' },
      { claim: 'id', value: '4711' },
    ]);
  });
});
