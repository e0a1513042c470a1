import { AccountEvent, UserView } from '../../users';
import { MessageChannel } from '../message/message';

export interface Receiver {
  readonly channel: MessageChannel;
  readonly target: string;
}

type Contacts = Pick<UserView, 'email' | 'emailVerified' | 'phone' | 'phoneVerified'>;

const mail = (target: string): Receiver => ({ channel: 'email', target });
const sms = (target: string): Receiver => ({ channel: 'sms', target });

function provenOf({ email, emailVerified, phone, phoneVerified }: Contacts): Receiver[] {
  return [
    ...(email !== null && emailVerified ? [mail(email)] : []),
    ...(phone !== null && phoneVerified ? [sms(phone)] : []),
  ];
}

/** The previous contact, if it was verified. Then also the current one, verified or not. */
function previousAndCurrent(
  reach: (target: string) => Receiver,
  { before, wasVerified }: { before: string | null; wasVerified: boolean },
  now: string | null,
): Receiver[] {
  if (before === null || !wasVerified) return [];
  return [reach(before), ...(now === null ? [] : [reach(now)])];
}

/** The account stays as it is: one message is enough, by e-mail if possible. */
const ONE_IS_ENOUGH: ReadonlySet<AccountEvent['type']> = new Set([
  'webhook_disabled',
  'acting_started',
  'membership_pending',
  'new_device',
]);

function everyone(event: AccountEvent): Receiver[] {
  const proven = provenOf(event.user);
  switch (event.type) {
    case 'email_changed':
      return [...previousAndCurrent(mail, event, event.user.email), ...proven];
    case 'phone_changed':
      return [...previousAndCurrent(sms, event, event.user.phone), ...proven];
    default:
      return ONE_IS_ENOUGH.has(event.type) ? proven.slice(0, 1) : proven;
  }
}

/**
 * The receivers of a notice: only verified contacts, of before and after the change. An attacker who takes over an
 * account and one contact cannot hide it from the owner, and adding a stranger's address sends the stranger nothing.
 */
export function receiversOf(event: AccountEvent): Receiver[] {
  const receivers = everyone(event).map((receiver) => [`${receiver.channel} ${receiver.target}`, receiver] as const);
  return [...new Map(receivers).values()];
}
