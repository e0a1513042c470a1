import { ProviderView, ExternalProfile } from '../providers';
import { subjectHint } from './external-identity';

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
