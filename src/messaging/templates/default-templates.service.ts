import { Injectable } from '@nestjs/common';
import { TranslatorService } from '../../platform/i18n';
import { placeholders } from './placeholders';
import { TemplateContent, TemplateKey } from './template';

const SECTION = 'messages';

/** The default messages, from `i18n/<language>/messages.json`. */
@Injectable()
export class DefaultTemplatesService {
  constructor(private readonly translator: TranslatorService) {}

  get(key: TemplateKey): TemplateContent {
    return {
      subject: key.channel === 'email' ? this.text(key, 'subject') : null,
      text: this.text(key, 'text'),
      html: null,
      providerTemplate: null,
    };
  }

  /** Keeps the placeholders for the caller to fill. */
  private text({ channel, purpose, locale }: TemplateKey, part: 'subject' | 'text'): string {
    const unfilled = Object.fromEntries(placeholders[purpose].map((name) => [name, `{${name}}`]));
    return this.translator.text(locale, SECTION, `${channel}.${purpose}.${part}`, unfilled);
  }
}
