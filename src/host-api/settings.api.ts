import { Injectable } from '@nestjs/common';
import { ProblemError } from '../platform/errors';
import { Setting, SettingsReader } from '../platform/settings';
import { settingPermissions, SettingUpdatesService } from '../settings';
import { ActOptions, HostActsService } from './host-acts.service';

export interface SetOptions extends ActOptions {
  /** Kept in the history of the setting. */
  readonly reason?: string;
}

/** Run-time settings, the service's and those of `defineSetting`, for the code of the application. */
@Injectable()
export class SettingsApi {
  constructor(
    private readonly reader: SettingsReader,
    private readonly updates: SettingUpdatesService,
    private readonly acts: HostActsService,
  ) {}

  /** The present value, at most a second old. */
  async get<T>(setting: Setting<T>): Promise<T> {
    return this.reader.get(setting);
  }

  /**
   * @param setting what `defineSetting` returned, or a key such as `register.enabled`
   * Throws `settings_update_failed`, whose field says why, or `reauthentication_required`.
   */
  async set(setting: Setting | string, value: unknown, { reason, ...options }: SetOptions = {}): Promise<void> {
    const key = typeof setting === 'string' ? setting : setting.key;
    const updates = [{ key, value }];
    await this.acts.run(options, [settingPermissions.update], () =>
      this.updates.update(updates, { reason }).catch(nameField),
    );
  }

  /** Sets the default again. Throws as `set`. */
  reset(setting: Setting | string, options: SetOptions = {}): Promise<void> {
    return this.set(setting, null, options);
  }
}

/** The position in a batch says nothing here. */
function nameField(error: unknown): never {
  if (!(error instanceof ProblemError)) throw error;
  const fields = error.fields.map((found) => ({ ...found, field: found.field.replace(/^updates\[0\]\./, '') }));
  throw new ProblemError(error, { params: error.params, fields });
}
