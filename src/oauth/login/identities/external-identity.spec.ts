import { ProviderView, ExternalProfile } from '../providers';
import { accountFace, subjectHint } from './external-identity';

const hintOf = (profile: Partial<ExternalProfile>): string =>
  subjectHint({ provider: {} as ProviderView, profile: profile as ExternalProfile });
const subject = (value: string): Pick<ExternalProfile, 'subjects'> =>
  ({ subjects: [{ kind: 'sub', value }] }) as unknown as Pick<ExternalProfile, 'subjects'>;

describe('subjectHint', () => {
  it('returns the masked e-mail address, else the nickname, else the ends of the subject', () => {
    expect(hintOf({ email: 'ann@example.com', nickname: 'Ann', ...subject('4711-0815') })).toBe('a***@example.com');
    expect(hintOf({ nickname: 'Ann', ...subject('4711-0815') })).toBe('Ann');
    expect(hintOf(subject('4711-0815'))).toBe('47…15');
  });

  it.each([
    ['a😀bcd', 'a😀…cd'],
    ['bcd😀y', 'bc…😀y'],
  ])('does not split a surrogate pair in %s', (value, hint) => {
    expect(hintOf(subject(value))).toBe(hint);
    expect(JSON.stringify(hintOf(subject(value)))).not.toContain('\\ud');
  });
});

describe('accountFace', () => {
  const faceOf = (profile: Partial<ExternalProfile>): ReturnType<typeof accountFace> =>
    accountFace({ provider: {} as ProviderView, profile: profile as ExternalProfile });

  it('takes over a nickname of up to 50 characters', () => {
    const longest = '😀'.repeat(50);
    expect(faceOf({ nickname: longest })).toEqual({ nickname: longest });
    expect(faceOf({ nickname: `${longest}a` })).toEqual({});
    expect(faceOf({ nickname: '' })).toEqual({});
  });

  it('takes over the URL of an avatar only', () => {
    const avatar = 'https://idp.example/ann.png';
    expect(faceOf({ avatar })).toEqual({ avatar });
    expect(faceOf({ avatar: 'javascript:alert(1)' })).toEqual({});
  });
});
