import { Language } from '../../platform/i18n';
import { SendResult } from './send-result';

/** One mail to one address. */
export interface Mail {
  /** Ours, for the provider to recognise a mail by. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  readonly language: Language;
}

/** Sends mail. Replace it to send another way than over SMTP; `castellan/testing` holds what it must keep to. */
export abstract class Mailer {
  /** Whether mail can be sent as things are set up now. */
  abstract isOffered(): Promise<boolean>;

  /**
   * Answers within six seconds and never throws for what a provider did. One call is one mail at most: a mail that may
   * have gone out is `unknown` and is not sent again.
   */
  abstract send(mail: Mail): Promise<SendResult>;
}
