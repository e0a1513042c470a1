import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { languages } from '../../../platform/i18n';
import { messageChannels, messagePurposes } from '../../message/message';

const nullableText = (description: string, example: string) => ({
  type: String,
  nullable: true,
  description,
  example,
});

const SUBJECT = 'E-mail only. null: the default subject';
const HTML = 'E-mail only. null: generated from the text';
const PROVIDER_TEMPLATE = "SMS only: the provider's id of this template. null: the one in the provider's settings";

export class TemplateContentDto {
  @ApiProperty(nullableText(SUBJECT, 'Your code for {app}')) subject: string | null;
  @ApiProperty({ example: '{code} is your code for {app}.' }) text: string;
  @ApiProperty(nullableText(HTML, '<p>{code} is your code for {app}.</p>')) html: string | null;
  @ApiProperty(nullableText(PROVIDER_TEMPLATE, 'SMS_480305106')) provider_template: string | null;
}

@ApiSchema({ description: 'The current text and its version' })
export class MessageTemplateDto extends TemplateContentDto {
  @ApiProperty({ enum: messageChannels }) channel: string;
  @ApiProperty({ enum: messagePurposes }) purpose: string;
  @ApiProperty({ enum: languages }) locale: string;
  @ApiProperty({
    type: [String],
    description: 'The placeholder names that the template may use',
    example: ['code', 'minutes'],
  })
  placeholders: string[];
  @ApiProperty({ description: 'Whether the default text is used' }) is_default: boolean;
  @ApiProperty({ type: 'integer', description: 'Number of the last change. 0: never changed' }) version: number;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) updated_at: string | null;

  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'Id of the user who made the change. null: not a user',
  })
  updated_by: string | null;
}

@ApiSchema({ description: 'The current texts of messages' })
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

  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'Id of the user who made the change. null: not a user',
  })
  changed_by: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'Friendlier words' }) reason: string | null;
}

@ApiSchema({ description: 'The changes of the text: the old and the new text, the time and the user' })
export class MessageTemplateHistoryDto {
  @ApiProperty({ type: [MessageTemplateVersionDto] }) items: MessageTemplateVersionDto[];
}

@ApiSchema({ description: 'The message with sample values' })
export class RenderedMessageDto {
  @ApiProperty(nullableText('E-mail only', 'Your code for Castellan')) subject: string | null;
  @ApiProperty({ example: '012345 is your code for Castellan.' }) text: string;
  @ApiProperty(
    nullableText(
      'E-mail only. Show it in a sandboxed frame without scripts and forms',
      '<p>012345 is your code for Castellan.</p>',
    ),
  )
  html: string | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Number of SMS that are billed for it. null for an e-mail',
    example: 1,
  })
  sms_segments: number | null;
}
