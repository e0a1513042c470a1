import { IntegerField, JsonField, ListField, QueryBooleanField, TextField } from '../../platform/http/input';

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
    description: "The new value, of the setting's type; null resets it to the default",
    example: false,
  })
  value: unknown;

  @IntegerField({
    description: 'The version that the value was chosen against; the change fails when it is no longer the latest',
    min: 0,
    max: MAX_VERSION,
    optional: true,
  })
  version?: number;
}

export class UpdateSettingsDto {
  @ListField(() => SettingUpdateDto, { description: 'The changes; all or none are stored', min: 1, max: 100 })
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
  @QueryBooleanField({ description: 'true: validate and return the result without storing it', optional: true })
  dry_run?: boolean;
}

export class RollbackSettingDto {
  @IntegerField({
    description: 'The version whose value to restore; 0: the default',
    min: 0,
    max: MAX_VERSION,
  })
  version: number;
}
