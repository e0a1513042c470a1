import { ApiProperty } from '@nestjs/swagger';
import { languages } from '../../../platform/i18n';
import { codePurposes, messageChannels, noticePurposes } from '../../message';

const nullableText = (description?: string) => ({ type: String, nullable: true, ...(description && { description }) });

const SUBJECT = "Of a mail; null: the default's";
const HTML = 'Of a mail; null: laid out from the text';
const PROVIDER_TEMPLATE = "Of an SMS: the provider's id of this template; null: as the provider's settings say";

export class TemplateContentDto {
  @ApiProperty(nullableText(SUBJECT)) subject: string | null;
  @ApiProperty() text: string;
  @ApiProperty(nullableText(HTML)) html: string | null;
  @ApiProperty(nullableText(PROVIDER_TEMPLATE)) provider_template: string | null;
}

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

export class MessageTemplateListDto {
  @ApiProperty({ type: [MessageTemplateDto] }) items: MessageTemplateDto[];
}

export class MessageTemplateVersionDto {
  @ApiProperty({ type: 'integer' }) version: number;
  @ApiProperty({ type: TemplateContentDto, nullable: true, description: 'null: the default' })
  from: TemplateContentDto | null;
  @ApiProperty({ type: TemplateContentDto, nullable: true, description: 'null: the default' })
  to: TemplateContentDto | null;
  @ApiProperty({ format: 'date-time' }) changed_at: string;

  @ApiProperty({ type: String, format: 'uuid', nullable: true, description: 'Id of a user; null: not by a user' })
  changed_by: string | null;

  @ApiProperty({ type: String, nullable: true }) reason: string | null;
}

export class MessageTemplateHistoryDto {
  @ApiProperty({ type: [MessageTemplateVersionDto] }) items: MessageTemplateVersionDto[];
}

export class RenderedMessageDto {
  @ApiProperty(nullableText('Of a mail')) subject: string | null;
  @ApiProperty() text: string;
  @ApiProperty(nullableText('Of a mail. To be shown in a frame that runs and sends nothing')) html: string | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'How many messages are billed for it; null for a mail' })
  sms_segments: number | null;
}

export class TestMessageDto {
  @ApiProperty({
    enum: ['accepted', 'unknown'],
    description: '`unknown`: the channel gave no answer, and may have sent it',
  })
  outcome: string;
}
