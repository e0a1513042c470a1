import { Language } from '../../platform/i18n';
import { SendResult } from './send-result';

/** One e-mail to one address. */
export interface Mail {
  /** Our id, by which the provider can recognize a repeated mail. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  readonly language: Language;
}

/** Sends e-mail. Replace it to send without SMTP. `castellan/testing` has the contract tests. */
export abstract class Mailer {
  /** Whether mail can be sent with the current settings. */
  abstract isOffered(): Promise<boolean>;

  /** Whether messages are not sent, but only shown at `/dev/inbox`, as in development. */
  isInbox(): Promise<boolean> {
    return Promise.resolve(false);
  }

  /**
   * Resolves within six seconds, and never throws for a failure of the provider. One call sends at most one mail: a
   * mail that may have been sent is `unknown` and is not retried.
   */
  abstract send(mail: Mail): Promise<SendResult>;
}
