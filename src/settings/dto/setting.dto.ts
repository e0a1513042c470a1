import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

const JSON_VALUE = {
  nullable: true,
  oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'array', items: { type: 'string' } }],
};

export class SettingDto {
  @ApiProperty({ example: 'register.enabled' }) key: string;
  @ApiProperty({ example: 'register' }) category: string;
  @ApiProperty({ enum: ['boolean', 'integer', 'text', 'text_list', 'choice'] }) type: string;

  @ApiProperty({ ...JSON_VALUE, description: 'The value in force; always null for a secret' })
  value: unknown;

  @ApiProperty({ ...JSON_VALUE, description: 'What is in force while nothing is set; null for a secret' })
  default_value: unknown;

  @ApiProperty({ description: 'Write-only' }) is_secret: boolean;
  @ApiProperty({ description: 'Whether a value is set, be it the same as the default' }) is_set: boolean;
  @ApiProperty({ description: 'Whether everybody who is logged in sees it' }) is_public: boolean;
  @ApiPropertyOptional({ description: 'Least number' }) minimum?: number;
  @ApiPropertyOptional({ description: 'Greatest number, most characters, or most entries' }) maximum?: number;
  @ApiPropertyOptional({ type: [String], description: 'The values of a choice' }) options?: string[];
  @ApiProperty({ description: "In the caller's language" }) description: string;
  @ApiProperty({ type: 'integer', description: 'Of the last change; 0: never changed' }) version: number;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) updated_at: string | null;

  @ApiProperty({ type: String, format: 'uuid', nullable: true, description: 'Id of a user; null: not by a user' })
  updated_by: string | null;
}

export class SettingListDto {
  @ApiProperty({ type: [SettingDto] }) items: SettingDto[];
}

export class SettingVersionDto {
  @ApiProperty({ type: 'integer' }) version: number;
  @ApiProperty({ ...JSON_VALUE, description: 'null: the default, or a secret' }) from: unknown;
  @ApiProperty({ ...JSON_VALUE, description: 'null: the default, or a secret' }) to: unknown;
  @ApiProperty({ format: 'date-time' }) changed_at: string;

  @ApiProperty({ type: String, format: 'uuid', nullable: true, description: 'Id of a user; null: not by a user' })
  changed_by: string | null;

  @ApiProperty({ type: String, nullable: true }) reason: string | null;
}

export class SettingHistoryDto {
  @ApiProperty({ type: [SettingVersionDto] }) items: SettingVersionDto[];
}
