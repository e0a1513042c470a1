import { Language } from '../../platform/i18n';
import { MessagePurpose } from '../message/message';
import { SendResult } from './send-result';

/** One SMS to one phone. */
export interface TextMessage {
  /** Our id, by which the provider can recognize a repeated message. */
  readonly id: string;
  /** E.164. */
  readonly to: string;
  readonly purpose: MessagePurpose;
  readonly language: Language;
  /** For providers that accept free text. */
  readonly text: string;
  /** For providers with approved templates: the template id, and in brackets the names of its values. */
  readonly providerTemplate?: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Sends SMS. Replace it to use another provider. `castellan/testing` has the contract tests. */
export abstract class SmsSender {
  /** Whether SMS can be sent with the current settings. */
  abstract isOffered(): Promise<boolean>;

  /** Whether messages are not sent, but only shown at `/dev/inbox`, as in development. */
  isInbox(): Promise<boolean> {
    return Promise.resolve(false);
  }

  /**
   * Resolves within six seconds, and never throws for a failure of the provider. One call sends at most one message: a
   * message that may have been sent is `unknown` and is not retried.
   */
  abstract send(text: TextMessage): Promise<SendResult>;
}
