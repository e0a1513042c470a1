import { FieldOptions, IntegerField, TextField } from '../../../platform/input';

const MAX_VERSION = 2_147_483_647;
/** In brackets the values the template wants, where they are not those of the text: `SMS_1(code, ttl=minutes)`. */
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
  @SubjectField("Of a mail. Left out or null: the default's")
  subject?: string | null;

  @MessageTextField({
    description: 'With placeholders such as `{code}`. In a mail, empty lines part paragraphs',
    example: '{code} is your code for {app}.',
  })
  text: string;

  @HtmlField('Of a mail, values only in its text. Left out or null: laid out from the text')
  html?: string | null;

  @TextField({
    description: "Of an SMS: the provider's id of this template. Left out or null: as the provider's settings say",
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
    description: 'The version that the change was made against; where it is no longer the last, nothing is changed',
    min: 0,
    max: MAX_VERSION,
    optional: true,
  })
  version?: number;

  @TextField({ description: 'Why, for history and audit', max: 500, optional: true, example: 'Friendlier words' })
  reason?: string;
}

export class PreviewMessageTemplateDto {
  @SubjectField('Of a mail. Left out: the one in force; null: the default')
  subject?: string | null;

  @MessageTextField({
    description: 'Left out: the one in force',
    optional: true,
    example: '{code} is your code for {app}.',
  })
  text?: string;

  @HtmlField('Of a mail. Left out: the one in force; null: laid out from the text')
  html?: string | null;
}

export class RollbackMessageTemplateDto {
  @IntegerField({ description: 'The version to have again; 0: the default', min: 0, max: MAX_VERSION })
  version: number;
}
