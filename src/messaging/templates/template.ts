import { Language } from '../../platform/i18n';
import { MessageChannel, MessagePurpose } from '../message/message';

/** Identifies a template. */
export interface TemplateKey {
  readonly channel: MessageChannel;
  readonly purpose: MessagePurpose;
  readonly locale: Language;
}

/** The same before validation, as the path has it. */
export type TemplateAddress = Readonly<Record<keyof TemplateKey, string>>;

/** The content of a template, with placeholders. */
export interface TemplateContent {
  /** E-mail only. null: the default subject. */
  readonly subject: string | null;
  readonly text: string;
  /** E-mail only. null: generated from the text. */
  readonly html: string | null;
  /** SMS only: the provider's id of the template. null: the one in the provider's settings. */
  readonly providerTemplate: string | null;
}
