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
    ['every verified contact of a password change', { type: 'password_changed', user: both }, [NEW, PHONE]],
    ['no unverified contact of a password change', { type: 'password_changed', user: neither }, []],
    [
      'only the e-mail address of a new device, if it is verified',
      { type: 'new_device', user: both, ip: '', userAgent: '' },
      [NEW],
    ],
    [
      'the phone of a new device, if no e-mail address is verified',
      { type: 'new_device', user: phoneOnly, ip: '', userAgent: '' },
      [PHONE],
    ],
    [
      'both addresses and the phone of an address change',
      { type: 'email_changed', user: both, before: OLD, wasVerified: true },
      [OLD, NEW, PHONE],
    ],
    [
      'the unverified new address, if the old one was verified',
      { type: 'email_changed', user: neither, before: OLD, wasVerified: true },
      [OLD, NEW],
    ],
    [
      'no address, if none was ever verified',
      { type: 'email_changed', user: neither, before: OLD, wasVerified: false },
      [],
    ],
    [
      'the phone of a new unverified address',
      { type: 'email_changed', user: phoneOnly, before: null, wasVerified: false },
      [PHONE],
    ],
    [
      'the removed address of its removal',
      { type: 'email_changed', user: user({}), before: OLD, wasVerified: true },
      [OLD],
    ],
    [
      'the address of a phone number change',
      { type: 'phone_changed', user: mailOnly, before: null, wasVerified: false },
      [NEW],
    ],
    ['each contact only once', { type: 'phone_changed', user: both, before: PHONE, wasVerified: true }, [PHONE, NEW]],
  ])('notifies %s', (_, event, notified) => {
    expect(receiversOf(event).map(({ target }) => target)).toEqual(notified);
    for (const { channel, target } of receiversOf(event)) expect(channel).toBe(target.includes('@') ? 'email' : 'sms');
  });
});
