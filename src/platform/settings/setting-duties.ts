import { Setting } from './setting';

/** What a change of a setting also does, in its transaction: by any code, but not by a write to the database. */
export interface SettingDuty<T = unknown> {
  readonly setting: Setting<T>;
  /** Gets the effective value after the change. Runs before the change is audited, so it may lock what is read with events. */
  onChange(value: T): Promise<void>;
}

/** Registry of duties. Feature modules add those that need their knowledge. */
export class SettingDuties {
  private readonly duties: SettingDuty[] = [];

  /** Call it while modules are constructed. */
  add<T>(duty: SettingDuty<T>): void {
    this.duties.push(duty);
  }

  async run(setting: Setting, value: unknown): Promise<void> {
    for (const duty of this.duties) if (duty.setting.key === setting.key) await duty.onChange(value);
  }
}
