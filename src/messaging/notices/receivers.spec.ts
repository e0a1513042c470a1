import { AccountEvent, UserView } from '../../users';
import { receiversOf } from './receivers';

const OLD = 'old@example.com';
const NEW = 'new@example.com';
const PHONE = '+8613800138000';

const user = (contacts: Partial<UserView>): UserView =>
  ({ email: null, emailVerified: false, phone: null, phoneVerified: false, ...contacts }) as UserView;
const both = user({ email: NEW, emailVerified: true, phone: PHONE, phoneVerified: true });
const mailOnly = user({ email: NEW, emailVerified: true, phone: PHONE });
const phoneOnly = user({ email: NEW, phone: PHONE, phoneVerified: true });
const neither = user({ email: NEW, phone: PHONE });

describe('receiversOf', () => {
  it.each<[string, AccountEvent, string[]]>([
    ['every proven contact of a new password', { type: 'password_changed', user: both }, [NEW, PHONE]],
    ['no unproven contact of a new password', { type: 'password_changed', user: neither }, []],
    [
      'by mail of a new device, where there is a choice',
      { type: 'new_device', user: both, ip: '', userAgent: '' },
      [NEW],
    ],
    [
      'by SMS of a new device, where there is none',
      { type: 'new_device', user: phoneOnly, ip: '', userAgent: '' },
      [PHONE],
    ],
    [
      'both addresses and the phone of a new address',
      { type: 'email_changed', user: both, before: OLD, wasVerified: true },
      [OLD, NEW, PHONE],
    ],
    [
      'the new address though it is not proven, where the old one was',
      { type: 'email_changed', user: neither, before: OLD, wasVerified: true },
      [OLD, NEW],
    ],
    [
      'no address of which none was ever proven',
      { type: 'email_changed', user: neither, before: OLD, wasVerified: false },
      [],
    ],
    [
      'the phone of an address that is merely claimed',
      { type: 'email_changed', user: phoneOnly, before: null, wasVerified: false },
      [PHONE],
    ],
    [
      'the old address of its removal',
      { type: 'email_changed', user: user({}), before: OLD, wasVerified: true },
      [OLD],
    ],
    ['the address of a new phone', { type: 'phone_changed', user: mailOnly, before: null, wasVerified: false }, [NEW]],
    ['each but once', { type: 'phone_changed', user: both, before: PHONE, wasVerified: true }, [PHONE, NEW]],
  ])('tells %s', (_, event, told) => {
    expect(receiversOf(event).map(({ target }) => target)).toEqual(told);
    for (const { channel, target } of receiversOf(event)) expect(channel).toBe(target.includes('@') ? 'email' : 'sms');
  });
});
