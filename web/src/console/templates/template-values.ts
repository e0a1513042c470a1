import type { components } from '../../api/schema';
import { orNull } from '../hooks/changes';
import type { MessageTemplate } from './templates-page';

/** A template during editing. */
export interface TemplateValues {
  readonly subject: string;
  readonly text: string;
  /** Empty means that the service generates the HTML from the text. */
  readonly html: string;
  readonly provider_template: string;
}

export const valuesOf = ({ subject, text, html, provider_template }: MessageTemplate): TemplateValues => ({
  subject: subject ?? '',
  text,
  html: html ?? '',
  provider_template: provider_template ?? '',
});

/**
 * Returns the version that the edit is based on. If another user has changed an edited part since, it is the old
 * version, so that the service rejects the save.
 */
export function versionBelow(values: TemplateValues, begun: MessageTemplate, stored: MessageTemplate): number {
  const [before, now] = [valuesOf(begun), valuesOf(stored)];
  const parts = Object.keys(now) as (keyof TemplateValues)[];
  const isOverwritten = parts.some((part) => values[part] !== now[part] && before[part] !== now[part]);
  return isOverwritten ? begun.version : stored.version;
}

/** Request body for the channel of the template. */
export function contentOf(
  { channel }: MessageTemplate,
  { subject, text, html, provider_template }: TemplateValues,
): components['schemas']['TemplateContentDto'] {
  const isMail = channel === 'email';
  return {
    subject: isMail ? orNull(subject) : null,
    text,
    html: isMail ? orNull(html) : null,
    provider_template: isMail ? null : orNull(provider_template),
  };
}

export const pathOf = ({
  channel,
  purpose,
  locale,
}: MessageTemplate): Pick<MessageTemplate, 'channel' | 'purpose' | 'locale'> => ({ channel, purpose, locale });
