import { Language } from '../../platform/i18n';
import { MessagePurpose } from '../message';
import { SendResult } from './send-result';

/** One text to one phone. */
export interface TextMessage {
  /** Ours, for the provider to recognise a text by. */
  readonly id: string;
  /** E.164. */
  readonly to: string;
  readonly purpose: MessagePurpose;
  readonly language: Language;
  /** For providers that take a free text. */
  readonly text: string;
  /** For providers that take an approved template: its id and, in brackets, the names of the values it wants. */
  readonly providerTemplate?: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Sends texts to phones. Replace it for a provider of your own; `castellan/testing` holds what it must keep to. */
export abstract class SmsSender {
  /** Whether texts can be sent as things are set up now. */
  abstract isOffered(): Promise<boolean>;

  /**
   * Answers within six seconds and never throws for what a provider did. One call is one text at most: a text that may
   * have gone out is `unknown` and is not sent again.
   */
  abstract send(text: TextMessage): Promise<SendResult>;
}
