import { Injectable } from '@nestjs/common';
import { FieldProblem, platformErrors } from '../../platform/errors';
import { isLanguage, languages } from '../../platform/i18n';
import { messageChannels, messagePurposes } from '../message/message';
import { DefaultTemplatesService } from './default-templates.service';
import { MessageTemplateDto, MessageTemplateVersionDto, RenderedMessageDto } from './dto/message-template.dto';
import { PreviewMessageTemplateDto, UpdateMessageTemplateDto } from './dto/message-template-input.dto';
import { MessageTemplateRepository } from './message-template.repository';
import { renderedDto, templateDto, versionDto } from './message-template.views';
import { MessageTemplatesService } from './message-templates.service';
import { samples } from './samples';
import { smsSegments } from './sms-segments';
import { contentOf, nameOf, StoredTemplateCache } from './stored-template.cache';
import { TemplateAddress, TemplateContent, TemplateKey } from './template';
import { templateProblems } from './template-rules';
import { messageTemplateActs } from './message-template.acts';

const HISTORY_LIMIT = 200;
/** Each part of a longer SMS is billed, and some phones show the parts separately. */
const MAX_SEGMENTS = 3;

/** Shows and changes message templates. */
@Injectable()
export class MessageTemplateAdminService {
  constructor(
    private readonly repository: MessageTemplateRepository,
    private readonly stored: StoredTemplateCache,
    private readonly defaults: DefaultTemplatesService,
    private readonly templates: MessageTemplatesService,
  ) {}

  /** Ordered by channel, purpose and language. */
  async list(): Promise<MessageTemplateDto[]> {
    const latest = new Map((await this.repository.findAllLatest()).map((row) => [nameOf(row), row]));
    return allKeys.map((key) => templateDto(key, latest.get(nameOf(key)), this.defaults.get(key)));
  }

  /** Errors: `not_found`. */
  async find(address: TemplateAddress): Promise<MessageTemplateDto> {
    const key = keyAt(address);
    return templateDto(key, await this.repository.findLatest(key), this.defaults.get(key));
  }

  /** Errors: `not_found`, `validation_failed` with every broken rule, `version_conflict`. */
  async update(
    address: TemplateAddress,
    { subject, text, html, provider_template, version, reason }: UpdateMessageTemplateDto,
  ): Promise<MessageTemplateDto> {
    const key = keyAt(address);
    const content: TemplateContent = {
      subject: subject ?? null,
      text: unixLines(text),
      html: html ?? null,
      providerTemplate: provider_template ?? null,
    };
    await this.check(key, content);
    const act = messageTemplateActs.update;
    const latest = await this.stored.write({ key, content, against: version, reason, act });
    return templateDto(key, latest, this.defaults.get(key));
  }

  /** Newest first, at most 200. Errors: `not_found`. */
  async history(address: TemplateAddress): Promise<MessageTemplateVersionDto[]> {
    const versions = await this.repository.history(keyAt(address), HISTORY_LIMIT + 1);
    return versions.slice(0, HISTORY_LIMIT).map((change, index) => versionDto(change, versions[index + 1]));
  }

  /**
   * Saves the content of an earlier version as a new version. Version 0 is the default. Errors: `not_found`,
   * `validation_failed`.
   */
  async rollback(address: TemplateAddress, version: number): Promise<MessageTemplateDto> {
    const key = keyAt(address);
    const found = version === 0 ? null : await this.repository.findVersion(key, version);
    if (version !== 0 && !found) throw platformErrors.notFound();
    const content = found && contentOf(found);
    // The rules may have become stricter since that version.
    if (content && (await this.problems(key, content)).length > 0) {
      throw validationError([{ field: 'version', code: 'former_rules' }]);
    }
    const latest = await this.stored.write({ key, content, act: messageTemplateActs.rollback });
    return templateDto(key, latest, this.defaults.get(key));
  }

  /**
   * Renders with sample values. Omitted parts come from the current template. Errors: `not_found`, `validation_failed`.
   */
  async preview(
    address: TemplateAddress,
    { subject, text, html }: PreviewMessageTemplateDto,
  ): Promise<RenderedMessageDto> {
    const key = keyAt(address);
    const effective = await this.stored.effective(key);
    const content: TemplateContent = {
      ...effective,
      ...(subject !== undefined && { subject }),
      ...(text !== undefined && { text: unixLines(text) }),
      ...(html !== undefined && { html }),
    };
    await this.check(key, content);
    return renderedDto(await this.templates.renderContent(key, content, samples), key);
  }

  private async check(key: TemplateKey, content: TemplateContent): Promise<void> {
    const problems = await this.problems(key, content);
    if (problems.length > 0) throw validationError(problems);
  }

  private async problems(key: TemplateKey, content: TemplateContent): Promise<FieldProblem[]> {
    const problems = templateProblems(key, content);
    if (key.channel !== 'sms') return problems;
    const { text } = await this.templates.renderContent(key, content, samples);
    const isTooLong = smsSegments(text) > MAX_SEGMENTS;
    return isTooLong ? [...problems, { field: 'text', code: 'sms_too_long', params: { max: MAX_SEGMENTS } }] : problems;
  }
}

const validationError = (fields: FieldProblem[]) => platformErrors.validationFailed({ fields });

const unixLines = (text: string): string => text.replaceAll('\r\n', '\n');

const allKeys: readonly TemplateKey[] = messageChannels.flatMap((channel) =>
  messagePurposes.flatMap((purpose) => languages.map((locale) => ({ channel, purpose, locale }))),
);

/** Errors: `not_found`. */
export function keyAt(address: TemplateAddress): TemplateKey {
  const channel = messageChannels.find((known) => known === address.channel);
  const purpose = messagePurposes.find((known) => known === address.purpose);
  const { locale } = address;
  if (!channel || !purpose || !isLanguage(locale)) throw platformErrors.notFound();
  return { channel, purpose, locale };
}
