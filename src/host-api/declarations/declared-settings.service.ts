import { Injectable } from '@nestjs/common';
import { findSetting, Setting } from '../../platform/settings';
import { SettingsService, SettingUpdatesService } from '../../settings';
import { DeclaredItem, naming } from './declared-item';

const REASON = 'declared by the application';

@Injectable()
export class DeclaredSettingsService {
  constructor(
    private readonly settings: SettingsService,
    private readonly updates: SettingUpdatesService,
  ) {}

  item(key: string, value: unknown): DeclaredItem {
    const setting = findSetting(key);
    if (!setting) throw new Error(`The declared setting "${key}" does not exist`);
    // Contents are stored as they are.
    if (setting.secret) throw new Error(`The declared setting "${key}" is secret: set it with SettingsApi`);
    const parsed = setting.kind.parse(value);
    if (!('value' in parsed)) throw new Error(`The declared setting "${key}" is rejected: ${parsed.violation}`);
    return {
      kind: 'setting',
      name: key,
      content: parsed.value,
      read: () => this.read(setting),
      write: async () => {
        const updates = [{ key, value: parsed.value }];
        await naming(`setting "${key}"`, () => this.updates.update(updates, { reason: REASON }));
      },
    };
  }

  /** Undefined until a value is set. */
  private async read(setting: Setting): Promise<unknown> {
    const isSet = (await this.settings.stored()).has(setting.key);
    return isSet ? this.settings.latest(setting) : undefined;
  }
}
