import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { WholeExample } from '../../platform/input';

const JSON_VALUE = {
  // OpenAPI 3.0.3: null is allowed beside a type alone.
  oneOf: [
    { type: 'string', nullable: true },
    { type: 'number' },
    { type: 'boolean' },
    { type: 'array', items: { type: 'string' } },
  ],
};

@WholeExample(
  {
    key: 'register.enabled',
    category: 'register',
    type: 'boolean',
    value: false,
    default_value: true,
    is_secret: false,
    is_set: true,
    is_public: true,
    description: 'Whether anybody may register',
    version: 1,
    updated_at: '2026-01-31T09:30:00.000Z',
    updated_by: null,
  },
  'The setting, with its value in force, its default and its version',
)
export class SettingDto {
  @ApiProperty() key: string;
  @ApiProperty() category: string;
  @ApiProperty({ enum: ['boolean', 'integer', 'text', 'text_list', 'choice'] }) type: string;

  @ApiProperty({ ...JSON_VALUE, description: 'The value in force; always null for a secret' })
  value: unknown;

  @ApiProperty({
    ...JSON_VALUE,
    description: 'What is in force while nothing is set; null for a secret',
  })
  default_value: unknown;

  @ApiProperty({ description: 'Write-only' }) is_secret: boolean;
  @ApiProperty({ description: 'Whether a value is set, be it the same as the default' }) is_set: boolean;
  @ApiProperty({ description: 'Whether everybody who is logged in sees it' }) is_public: boolean;
  @ApiPropertyOptional({ description: 'Least number' }) minimum?: number;
  @ApiPropertyOptional({ description: 'Greatest number, most characters, or most entries' }) maximum?: number;
  @ApiPropertyOptional({ type: [String], description: 'The values of a choice' }) options?: string[];
  @ApiProperty({ description: "In the caller's language" })
  description: string;
  @ApiProperty({ type: 'integer', description: 'Of the last change; 0: never changed' }) version: number;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) updated_at: string | null;

  @ApiProperty({ type: String, format: 'uuid', nullable: true, description: 'Id of a user; null: not by a user' })
  updated_by: string | null;
}

@ApiSchema({ description: 'Settings, each with its value in force, its default and its version' })
export class SettingListDto {
  @ApiProperty({ type: [SettingDto] }) items: SettingDto[];
}

export class SettingVersionDto {
  @ApiProperty({ type: 'integer', example: 1 }) version: number;
  @ApiProperty({ ...JSON_VALUE, description: 'null: the default, or a secret', example: true }) from: unknown;
  @ApiProperty({ ...JSON_VALUE, description: 'null: the default, or a secret', example: false }) to: unknown;
  @ApiProperty({ format: 'date-time' }) changed_at: string;

  @ApiProperty({ type: String, format: 'uuid', nullable: true, description: 'Id of a user; null: not by a user' })
  changed_by: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'Registration closes for the season' }) reason: string | null;
}

@ApiSchema({ description: 'The changes of the setting: from what, to what, when, by whom' })
export class SettingHistoryDto {
  @ApiProperty({ type: [SettingVersionDto] }) items: SettingVersionDto[];
}
