import {
  MessageTemplateDto,
  MessageTemplateVersionDto,
  RenderedMessageDto,
  TemplateContentDto,
} from './dto/message-template.dto';
import { MessageTemplateVersion } from './message-template.entity';
import { RenderedMessage } from './message-templates.service';
import { placeholders } from './placeholders';
import { smsSegments } from './sms-segments';
import { contentOf } from './stored-template.cache';
import { TemplateContent, TemplateKey } from './template';

function contentDto({
  subject,
  text,
  html,
  providerTemplate,
}: TemplateContent): Pick<TemplateContentDto, keyof TemplateContentDto> {
  return { subject, text, html, provider_template: providerTemplate };
}

const changeDto = (version: MessageTemplateVersion | undefined): TemplateContentDto | null => {
  const content = version && contentOf(version);
  return content ? contentDto(content) : null;
};

/** @param latest the latest version. Undefined or null: never changed. */
export function templateDto(
  key: TemplateKey,
  latest: MessageTemplateVersion | null | undefined,
  fallback: TemplateContent,
): MessageTemplateDto {
  const edited = latest && contentOf(latest);
  return {
    channel: key.channel,
    purpose: key.purpose,
    locale: key.locale,
    ...contentDto(edited ?? fallback),
    placeholders: [...placeholders[key.purpose]],
    is_default: !edited,
    version: latest?.version ?? 0,
    updated_at: latest?.changedAt.toISOString() ?? null,
    updated_by: latest?.changedBy ?? null,
  };
}

/** @param before the previous version. Undefined: the default. */
export function versionDto(
  change: MessageTemplateVersion,
  before: MessageTemplateVersion | undefined,
): MessageTemplateVersionDto {
  return {
    version: change.version,
    from: changeDto(before),
    to: changeDto(change),
    changed_at: change.changedAt.toISOString(),
    changed_by: change.changedBy,
    reason: change.reason,
  };
}

export function renderedDto({ subject, text, html }: RenderedMessage, { channel }: TemplateKey): RenderedMessageDto {
  return {
    subject: subject ?? null,
    text,
    html: html ?? null,
    sms_segments: channel === 'sms' ? smsSegments(text) : null,
  };
}
