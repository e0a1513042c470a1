import { Language } from '../../platform/i18n';
import { MessageChannel, MessagePurpose } from '../message';

/** Which of the templates: there is one for each. */
export interface TemplateKey {
  readonly channel: MessageChannel;
  readonly purpose: MessagePurpose;
  readonly locale: Language;
}

/** The same as the editor wrote it, unchecked. */
export type TemplateAddress = Readonly<Record<keyof TemplateKey, string>>;

/** What a template says, placeholders unfilled. */
export interface TemplateContent {
  /** Of a mail; null: the default's. */
  readonly subject: string | null;
  readonly text: string;
  /** Of a mail; null: laid out from the text. */
  readonly html: string | null;
  /** Of an SMS: the id under which the provider knows the template; null: the provider's setting counts. */
  readonly providerTemplate: string | null;
}
