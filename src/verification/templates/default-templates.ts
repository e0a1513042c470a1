import { Injectable } from '@nestjs/common';
import { Translator } from '../../platform/i18n';
import { placeholders } from './placeholders';
import { TemplateContent, TemplateKey } from './template';

const SECTION = 'messages';

/** What is sent until somebody edits it: the texts of `i18n/<language>/messages.json`. */
@Injectable()
export class DefaultTemplates {
  constructor(private readonly translator: Translator) {}

  of(key: TemplateKey): TemplateContent {
    return {
      subject: key.channel === 'email' ? this.text(key, 'subject') : null,
      text: this.text(key, 'text'),
      html: null,
      providerTemplate: null,
    };
  }

  /** The placeholders stand for themselves, to be filled by whoever knows the values. */
  private text({ channel, purpose, locale }: TemplateKey, part: 'subject' | 'text'): string {
    const unfilled = Object.fromEntries(placeholders[purpose].map((name) => [name, `{${name}}`]));
    return this.translator.text(locale, SECTION, `${channel}.${purpose}.${part}`, unfilled);
  }
}
