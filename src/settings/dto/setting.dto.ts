import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { WholeExample } from '../../platform/http/input';

const JSON_VALUE = {
  // OpenAPI 3.0.3 allows `nullable` only next to a single `type`.
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
    title: 'Public registration',
    description: 'Let people register themselves.',
    version: 1,
    updated_at: '2026-01-31T09:30:00.000Z',
    updated_by: null,
  },
  'The setting with its effective value, its default and its version',
)
export class SettingDto {
  @ApiProperty() key: string;
  @ApiProperty() category: string;
  @ApiProperty({ enum: ['boolean', 'integer', 'text', 'text_list', 'choice'] }) type: string;

  @ApiProperty({ ...JSON_VALUE, description: 'The effective value; always null for a secret' })
  value: unknown;

  @ApiProperty({
    ...JSON_VALUE,
    description: 'The value while nothing is set; null for a secret',
  })
  default_value: unknown;

  @ApiProperty({ description: 'Write-only' }) is_secret: boolean;
  @ApiProperty({ description: 'Whether a value is set, even one equal to the default' }) is_set: boolean;
  @ApiProperty({ description: 'Whether every logged-in user can read it' }) is_public: boolean;
  @ApiPropertyOptional({ description: 'Smallest number' }) minimum?: number;
  @ApiPropertyOptional({ description: 'Largest number, or maximum number of characters or entries' }) maximum?: number;
  @ApiPropertyOptional({ type: [String], description: 'The values of a choice' }) options?: string[];
  @ApiProperty({ description: "A short name in the caller's language, or the key" }) title: string;
  @ApiProperty({ description: "In the caller's language" })
  description: string;
  @ApiProperty({ type: 'integer', description: 'Version of the last change; 0: never changed' }) version: number;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) updated_at: string | null;

  @ApiProperty({ type: String, format: 'uuid', nullable: true, description: 'Id of a user; null: not by a user' })
  updated_by: string | null;
}

@ApiSchema({ description: 'Settings, each with its effective value, its default and its version' })
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

@ApiSchema({ description: "The setting's changes: old value, new value, time and user" })
export class SettingHistoryDto {
  @ApiProperty({ type: [SettingVersionDto] }) items: SettingVersionDto[];
}
