import { Language } from '../platform/i18n';
import { maskEmail, maskPhone } from '../users';

export const messageChannels = ['email', 'sms'] as const;
export type MessageChannel = (typeof messageChannels)[number];

const MASKS: Record<MessageChannel, (target: string) => string> = { email: maskEmail, sms: maskPhone };

/** A receiver as it may be kept and shown. */
export const maskTarget = (channel: MessageChannel, target: string): string => MASKS[channel](target);

/** What a code is good for; it is good for nothing else. */
export const codePurposes = ['register', 'login', 'reset_password', 'bind'] as const;
export type CodePurpose = (typeof codePurposes)[number];

/** Notices, sent after the event. */
export const noticePurposes = [
  'password_changed',
  'email_changed',
  'phone_changed',
  'second_factor_changed',
  'identity_changed',
  'new_device',
] as const;
export type NoticePurpose = (typeof noticePurposes)[number];

export type MessagePurpose = CodePurpose | NoticePurpose;

/** One message to one person. */
export interface Message {
  readonly channel: MessageChannel;
  readonly purpose: MessagePurpose;
  /** An e-mail address, or a phone number in E.164. */
  readonly target: string;
  readonly language: Language;
  /** Values for the template's placeholders, such as `code`, `minutes`, `username`. */
  readonly values: Readonly<Record<string, string>>;
  /** Whose contact it is, where that is known. */
  readonly userId?: string;
}

/**
 * What became of a message: `accepted` by the provider, `rejected` for good, `throttled` (later may do), or `unknown`
 * (the request was written and no answer came: it may have been sent, so it is never sent again by itself).
 */
export const deliveryOutcomes = ['accepted', 'rejected', 'throttled', 'unknown'] as const;
export type DeliveryOutcome = (typeof deliveryOutcomes)[number];
