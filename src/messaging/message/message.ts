import { Language } from '../../platform/i18n';
import { maskEmail, maskPhone } from '../../users';

export const messageChannels = ['email', 'sms'] as const;
export type MessageChannel = (typeof messageChannels)[number];

const MASKS: Record<MessageChannel, (target: string) => string> = { email: maskEmail, sms: maskPhone };

/** Masks a recipient for storage and display. */
export const maskTarget = (channel: MessageChannel, target: string): string => MASKS[channel](target);

/** The purposes of codes. A code is valid for its purpose only. */
export const codePurposes = ['register', 'login', 'reset_password', 'bind'] as const;
export type CodePurpose = (typeof codePurposes)[number];

/** The purposes of notices, which are sent after the event. */
export const noticePurposes = [
  'password_changed',
  'email_changed',
  'phone_changed',
  'second_factor_changed',
  'identity_changed',
  'webhook_disabled',
  'acting_started',
  'membership_pending',
  'deletion_requested',
  'deletion_cancelled',
  'deletion_reminder',
  'account_deleted',
  'new_device',
] as const;
export type NoticePurpose = (typeof noticePurposes)[number];

/** The purposes of messages with a secret link, which proves that the receiver reads the messages to the contact. */
export const linkPurposes = ['invitation'] as const;
export type LinkPurpose = (typeof linkPurposes)[number];

export const messagePurposes = [...codePurposes, ...noticePurposes, ...linkPurposes] as const;
export type MessagePurpose = CodePurpose | NoticePurpose | LinkPurpose;

/** The look of a message. Its name is always the service's. */
export interface MessageBranding {
  /** `#` and six hexadecimal digits. */
  readonly color: string;
  /** Shown in mails if it is an https address. */
  readonly logo: string;
}

/** One message to one recipient. */
export interface Message {
  readonly channel: MessageChannel;
  readonly purpose: MessagePurpose;
  /** An e-mail address, or a phone number in E.164. */
  readonly target: string;
  readonly language: Language;
  /** Values for the template's placeholders, such as `code`, `minutes`, `username`. */
  readonly values: Readonly<Record<string, string>>;
  /** The user with this contact, if known. */
  readonly userId?: string;
  /** Of the organization that the message is about. Default: the service's. */
  readonly branding?: MessageBranding;
}

/**
 * The outcome of a message: `accepted` by the provider, `rejected` permanently, `throttled` (a retry may succeed
 * later), or `unknown` (the request was sent but no response came, so the message may have been sent and is not
 * retried).
 */
export const deliveryOutcomes = ['accepted', 'rejected', 'throttled', 'unknown'] as const;
export type DeliveryOutcome = (typeof deliveryOutcomes)[number];

/** Whether the message may have arrived. Then its secret must work, but the secret of a rejected message must not. */
export const mayHaveArrived = (outcome: DeliveryOutcome): boolean => outcome === 'accepted' || outcome === 'unknown';

/** What mail programs make a link of: a path, an address or a host name, also with the dots of other scripts (UTS 46). */
const LINK = /[/:@]|[\p{L}\p{N}][.\u3002\uFF0E\uFF61]\p{L}/u;

/** The name, or the other one that cannot be a link, for messages to people who did not ask for them. */
export const plainName = (name: string | undefined, other: string): string => (!name || LINK.test(name) ? other : name);

/** `2030-01-31 12:00 UTC`: the same format in every language, so that users can compare it with other messages. */
export const messageTime = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
