import type { UserView } from '../../../users';
import { profileClaims } from './profile-claims';

const ISSUER = 'https://id.example.com';
const ann = {
  id: '01900000-0000-7000-8000-000000000001',
  username: 'ann',
  nickname: '',
  avatar: '',
  email: null,
  phone: null,
  locale: null,
  updatedAt: new Date('2026-01-02T03:04:05.678Z'),
} as UserView;

describe('profileClaims', () => {
  it('leaves out what the user does not have', () => {
    expect(profileClaims(ann, ISSUER)).toEqual({
      sub: ann.id,
      name: 'ann',
      preferred_username: 'ann',
      updated_at: 1_767_323_045,
    });
  });

  it('names the user by the nickname', () => {
    expect(profileClaims({ ...ann, nickname: 'Annie', locale: 'zh' }, ISSUER)).toMatchObject({
      name: 'Annie',
      nickname: 'Annie',
      preferred_username: 'ann',
      locale: 'zh',
    });
  });

  it.each([
    ['/api/avatar/ann.svg', `${ISSUER}/api/avatar/ann.svg`],
    ['https://cdn.example.com/ann.png', 'https://cdn.example.com/ann.png'],
  ])('gives the whole address of the picture %s', (avatar, picture) => {
    expect(profileClaims({ ...ann, avatar }, ISSUER).picture).toBe(picture);
  });

  it.each([true, false])('says whether contacts are verified: %s', (isVerified) => {
    const contacts = { email: 'ann@example.com', emailVerified: isVerified, phone: '+8613800138000' };
    expect(profileClaims({ ...ann, ...contacts, phoneVerified: isVerified }, ISSUER)).toMatchObject({
      email: 'ann@example.com',
      email_verified: isVerified,
      phone_number: '+8613800138000',
      phone_number_verified: isVerified,
    });
  });
});
