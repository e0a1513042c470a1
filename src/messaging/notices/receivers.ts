import { AccountEvent, UserView } from '../../users';
import { MessageChannel } from '../message';

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

/** The former contact, where it was proven; the present one then, too, proven or not. */
function formerAndPresent(
  reach: (target: string) => Receiver,
  { before, wasVerified }: { before: string | null; wasVerified: boolean },
  now: string | null,
): Receiver[] {
  if (before === null || !wasVerified) return [];
  return [reach(before), ...(now === null ? [] : [reach(now)])];
}

function everyone(event: AccountEvent): Receiver[] {
  const proven = provenOf(event.user);
  switch (event.type) {
    case 'password_changed':
    case 'second_factor_changed':
    case 'identity_changed':
      return proven;
    case 'email_changed':
      return [...formerAndPresent(mail, event, event.user.email), ...proven];
    case 'phone_changed':
      return [...formerAndPresent(sms, event, event.user.phone), ...proven];
    case 'new_device':
      // It happens often and is rarely bad: one message, by mail where there is a choice.
      return proven.slice(0, 1);
  }
}

/**
 * Receivers of a notice: proven contacts only, those before and after the change. An attacker who takes over an account
 * and one contact cannot hide it from the owner, and naming a stranger's address sends the stranger nothing.
 */
export function receiversOf(event: AccountEvent): Receiver[] {
  const receivers = everyone(event).map((receiver) => [`${receiver.channel} ${receiver.target}`, receiver] as const);
  return [...new Map(receivers).values()];
}
