import { FieldOptions, IntegerField, TextField } from '../../../platform/http/input';

const MAX_VERSION = 2_147_483_647;
/** In brackets the template's values, if they differ from those in the text: `SMS_1(code, ttl=minutes)`. */
const PROVIDER_ID = /^[\w.:-]+(?:\([\w=, ]*\))?$/;

const SubjectField = (description: string): PropertyDecorator =>
  TextField({ description, min: 1, max: 200, optional: true, nullable: true, example: 'Your code for {app}' });

const MessageTextField = (options: FieldOptions): PropertyDecorator => TextField({ max: 4_000, ...options });

const HtmlField = (description: string): PropertyDecorator =>
  TextField({
    description,
    min: 1,
    max: 40_000,
    optional: true,
    nullable: true,
    example: '<p>{code} is your code for {app}.</p>',
  });

export class UpdateMessageTemplateDto {
  @SubjectField('E-mail only. Omitted or null: the default subject')
  subject?: string | null;

  @MessageTextField({
    description: 'With placeholders such as `{code}`. In a mail, empty lines part paragraphs',
    example: '{code} is your code for {app}.',
  })
  text: string;

  @HtmlField('E-mail only, with placeholders only in text. Omitted or null: generated from the text')
  html?: string | null;

  @TextField({
    description: "SMS only: the provider's id of this template. Omitted or null: the one in the provider's settings",
    min: 1,
    max: 100,
    pattern: PROVIDER_ID.source,
    check: (value) => (PROVIDER_ID.test(value) ? undefined : 'provider_template'),
    optional: true,
    nullable: true,
    example: 'SMS_123456789',
  })
  provider_template?: string | null;

  @IntegerField({
    description: 'The version that the change is based on. The change fails if it is no longer the latest',
    min: 0,
    max: MAX_VERSION,
    optional: true,
  })
  version?: number;

  @TextField({ description: 'Reason for history and audit', max: 500, optional: true, example: 'Friendlier words' })
  reason?: string;
}

export class PreviewMessageTemplateDto {
  @SubjectField('E-mail only. Omitted: the current subject. null: the default')
  subject?: string | null;

  @MessageTextField({
    description: 'Omitted: the current text',
    optional: true,
    example: '{code} is your code for {app}.',
  })
  text?: string;

  @HtmlField('E-mail only. Omitted: the current HTML. null: generated from the text')
  html?: string | null;
}

export class RollbackMessageTemplateDto {
  @IntegerField({ description: 'The version to restore. 0: the default', min: 0, max: MAX_VERSION })
  version: number;
}
