import { Injectable } from '@nestjs/common';
import { PermissionChecker } from '../platform/access';
import { currentRequest } from '../platform/context';
import { fallbackLanguage, TranslatorService } from '../platform/i18n';
import { declaredSettings, Setting, SettingTexts } from '../platform/settings';
import { compareCodeUnits } from '../platform/util';
import { SettingDto, SettingVersionDto } from './dto/setting.dto';
import { SettingChange } from './setting-change.entity';
import { StoredSetting } from './stored-setting.entity';
import { SettingWithValue } from './setting-updates.service';
import { settingPermissions } from './settings.permissions';
import { SettingsService } from './settings.service';
import { SettingCodecService } from './setting-codec.service';

/** Settings as the API returns them: described in the caller's language, secrets left out. */
@Injectable()
export class SettingCatalogueService {
  constructor(
    private readonly settings: SettingsService,
    private readonly values: SettingCodecService,
    private readonly permissions: PermissionChecker,
    private readonly translator: TranslatorService,
  ) {}

  /** Sorted by category, then key. Settings that are not public need `setting:read`. */
  async list(userId: string, category?: string): Promise<SettingDto[]> {
    const seesAll = await this.permissions.isGranted(userId, settingPermissions.read);
    const stored = await this.settings.stored();
    return declaredSettings()
      .filter((setting) => seesAll || setting.public)
      .filter((setting) => category === undefined || setting.category === category)
      .sort((one, other) => compareCodeUnits(one.category, other.category) || compareCodeUnits(one.key, other.key))
      .map((setting) => this.toDto({ setting, row: stored.get(setting.key) }));
  }

  toDto({ setting, row }: SettingWithValue): SettingDto {
    const { key, category, kind, secret = false } = setting;
    return {
      key,
      category,
      type: kind.type,
      value: secret ? null : this.values.effectiveValue(setting, row?.value),
      default_value: secret ? null : this.values.defaultOf(setting),
      is_secret: secret,
      is_set: row !== undefined && row.value !== null,
      is_public: setting.public ?? false,
      ...limitsOf(setting),
      title: this.text(setting, 'title'),
      description: this.text(setting, 'description'),
      ...lastChangeOf(row),
    };
  }

  /** In the caller's language. The key, if a host's setting has no such text. */
  private text({ key, texts }: Setting, name: keyof SettingTexts): string {
    const language = currentRequest()?.language ?? fallbackLanguage;
    if (texts) return texts[name][language];
    const path = `${key}.${name}`;
    return this.translator.has(fallbackLanguage, 'settings', path)
      ? this.translator.text(language, 'settings', path)
      : key;
  }

  showChange(setting: Setting, change: SettingChange): SettingVersionDto {
    return {
      version: change.version,
      from: setting.secret ? null : change.fromValue,
      to: setting.secret ? null : change.toValue,
      changed_at: change.changedAt.toISOString(),
      changed_by: change.changedBy,
      reason: change.reason,
    };
  }
}

function limitsOf({
  kind: { minimum, maximum, options },
}: Setting): Pick<SettingDto, 'minimum' | 'maximum' | 'options'> {
  return {
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(options && { options: [...options] }),
  };
}

function lastChangeOf(row: StoredSetting | undefined): Pick<SettingDto, 'version' | 'updated_at' | 'updated_by'> {
  if (!row) return { version: 0, updated_at: null, updated_by: null };
  return { version: row.version, updated_at: row.updatedAt.toISOString(), updated_by: row.updatedBy };
}
