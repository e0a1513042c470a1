import { Injectable } from '@nestjs/common';
import { BrandingService } from '../../settings';
import { Message, MessageBranding } from '../message/message';
import { DefaultTemplatesService } from './default-templates.service';
import { layOut } from './mail-layout';
import { escapeHtml } from '../../platform/util';
import { fill, placeholdersIn, plainValue } from './placeholders';
import { StoredTemplateCache } from './stored-template.cache';
import { TemplateContent, TemplateKey } from './template';

/** A message ready to send. */
export interface RenderedMessage {
  /** One line. E-mail only. */
  readonly subject?: string;
  readonly text: string;
  /** E-mail only. */
  readonly html?: string;
  /** SMS only: the provider's id of this template, if configured. */
  readonly providerTemplate?: string;
  /**
   * For providers that fill templates themselves: the values that the text uses, in order of first appearance. The
   * service's name is omitted, because the provider's signature states it.
   */
  readonly parameters: Readonly<Record<string, string>>;
}

type Values = Readonly<Record<string, string>>;

const mapValues = (values: Values, change: (value: string) => string): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));

function parametersOf(text: string, values: Values): Values {
  const names = placeholdersIn(text).filter((name) => name !== 'app');
  return Object.fromEntries(names.map((name) => [name, values[name] ?? '']));
}

/** Renders messages in the recipient's language and with the service's branding. */
@Injectable()
export class MessageTemplatesService {
  constructor(
    private readonly stored: StoredTemplateCache,
    private readonly defaults: DefaultTemplatesService,
    private readonly branding: BrandingService,
  ) {}

  async render({ channel, purpose, language, values, branding }: Message): Promise<RenderedMessage> {
    const key: TemplateKey = { channel, purpose, locale: language };
    return this.renderContent(key, await this.stored.effective(key), values, branding);
  }

  /** Like `render`, for content that need not be the current one. */
  async renderContent(
    key: TemplateKey,
    content: TemplateContent,
    given: Values,
    branding?: MessageBranding,
  ): Promise<RenderedMessage> {
    const { name, primaryColor, logo: serviceLogo } = await this.branding.current();
    const { color, logo } = branding ?? { color: primaryColor, logo: serviceLogo };
    const values = mapValues({ ...given, app: name }, plainValue);
    const text = fill(content.text, values);
    const parameters = parametersOf(content.text, values);
    if (key.channel === 'sms') {
      return { text, parameters, ...(content.providerTemplate && { providerTemplate: content.providerTemplate }) };
    }
    const subject = content.subject ?? this.defaults.get(key).subject ?? '';
    const html =
      content.html ??
      layOut(subject, content.text, {
        language: key.locale,
        color,
        logo: logo.startsWith('https:') ? logo : undefined,
      });
    return {
      subject: plainValue(fill(subject, values)),
      text,
      html: fill(html, mapValues(values, escapeHtml)),
      parameters,
    };
  }
}
