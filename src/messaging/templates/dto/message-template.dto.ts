import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { languages } from '../../../platform/i18n';
import { codePurposes, messageChannels, noticePurposes } from '../../message';

const nullableText = (description: string, example: string) => ({
  type: String,
  nullable: true,
  description,
  example,
});

const SUBJECT = "Of a mail; null: the default's";
const HTML = 'Of a mail; null: laid out from the text';
const PROVIDER_TEMPLATE = "Of an SMS: the provider's id of this template; null: as the provider's settings say";

export class TemplateContentDto {
  @ApiProperty(nullableText(SUBJECT, 'Your code for {app}')) subject: string | null;
  @ApiProperty({ example: '{code} is your code for {app}.' }) text: string;
  @ApiProperty(nullableText(HTML, '<p>{code} is your code for {app}.</p>')) html: string | null;
  @ApiProperty(nullableText(PROVIDER_TEMPLATE, 'SMS_480305106')) provider_template: string | null;
}

@ApiSchema({ description: 'The text that is in force, and its version' })
export class MessageTemplateDto extends TemplateContentDto {
  @ApiProperty({ enum: messageChannels }) channel: string;
  @ApiProperty({ enum: [...codePurposes, ...noticePurposes] }) purpose: string;
  @ApiProperty({ enum: languages }) locale: string;
  @ApiProperty({ type: [String], description: 'The names that may stand between braces', example: ['code', 'minutes'] })
  placeholders: string[];
  @ApiProperty({ description: 'Whether the default is in force' }) is_default: boolean;
  @ApiProperty({ type: 'integer', description: 'Of the last change; 0: never changed' }) version: number;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) updated_at: string | null;

  @ApiProperty({ type: String, format: 'uuid', nullable: true, description: 'Id of a user; null: not by a user' })
  updated_by: string | null;
}

@ApiSchema({ description: 'The texts of messages that are in force' })
export class MessageTemplateListDto {
  @ApiProperty({ type: [MessageTemplateDto] }) items: MessageTemplateDto[];
}

export class MessageTemplateVersionDto {
  @ApiProperty({ type: 'integer', example: 1 }) version: number;
  @ApiProperty({ type: TemplateContentDto, nullable: true, description: 'null: the default' })
  from: TemplateContentDto | null;
  @ApiProperty({ type: TemplateContentDto, nullable: true, description: 'null: the default' })
  to: TemplateContentDto | null;
  @ApiProperty({ format: 'date-time' }) changed_at: string;

  @ApiProperty({ type: String, format: 'uuid', nullable: true, description: 'Id of a user; null: not by a user' })
  changed_by: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'Friendlier words' }) reason: string | null;
}

@ApiSchema({ description: 'The changes of the text: from what, to what, when, by whom' })
export class MessageTemplateHistoryDto {
  @ApiProperty({ type: [MessageTemplateVersionDto] }) items: MessageTemplateVersionDto[];
}

@ApiSchema({ description: 'The message, with sample values in place' })
export class RenderedMessageDto {
  @ApiProperty(nullableText('Of a mail', 'Your code for Castellan')) subject: string | null;
  @ApiProperty({ example: '012345 is your code for Castellan.' }) text: string;
  @ApiProperty(
    nullableText(
      'Of a mail. To be shown in a frame that runs and sends nothing',
      '<p>012345 is your code for Castellan.</p>',
    ),
  )
  html: string | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'How many messages are billed for it; null for a mail',
    example: 1,
  })
  sms_segments: number | null;
}
