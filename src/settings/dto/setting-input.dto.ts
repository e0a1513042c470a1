import { IntegerField, JsonField, ListField, QueryBooleanField, TextField } from '../../platform/input';

const KEY_LENGTH = 100;
const MAX_VERSION = 2_147_483_647;

export class SettingQueryDto {
  @TextField({ description: 'Only settings of this category', max: KEY_LENGTH, optional: true })
  category?: string;
}

export class SettingUpdateDto {
  @TextField({ description: 'Key of a setting', max: KEY_LENGTH, example: 'register.enabled' })
  key: string;

  @JsonField({
    description: 'The new value, of the type of the setting; null: back to the default',
    example: false,
  })
  value: unknown;

  @IntegerField({
    description: 'The version that the value was chosen against; where it is no longer the last, nothing is changed',
    min: 0,
    max: MAX_VERSION,
    optional: true,
  })
  version?: number;
}

export class UpdateSettingsDto {
  @ListField(() => SettingUpdateDto, { description: 'What to change: all of it, or nothing', min: 1, max: 100 })
  updates: SettingUpdateDto[];

  @TextField({
    description: 'Why, for history and audit',
    max: 500,
    optional: true,
    example: 'Registration closes for the season',
  })
  reason?: string;
}

export class UpdateSettingsQueryDto {
  @QueryBooleanField({ description: 'true: answer what would be, and change nothing', optional: true })
  dry_run?: boolean;
}

export class RollbackSettingDto {
  @IntegerField({
    description: 'The version whose value is to be in force again; 0: the default',
    min: 0,
    max: MAX_VERSION,
  })
  version: number;
}
