import type { ProblemParams } from '../errors';
import { Setting } from './setting';

/** The settings as they would be with the proposed changes. */
export interface SettingsDraft {
  get<T>(setting: Setting<T>): T;
  /** Whether the changes include the setting, even with its current value. */
  isNamed(setting: Setting): boolean;
  /** Whether the changes replace the value of the setting. */
  isChanged(setting: Setting): boolean;
  /** The effective value before the changes. */
  before<T>(setting: Setting<T>): T;
  /** Whether the changes restore previous values, which no user has entered now. */
  readonly isRollback: boolean;
}

/** Why the proposed settings are invalid. `code` is a key of `fields` in `i18n/<language>/errors.json`. */
export interface SettingViolation {
  readonly setting: Setting;
  readonly code: string;
  readonly params?: ProblemParams;
}

/** A rule between several settings, or between a setting and other stored data. */
export abstract class SettingsValidator {
  /** Settings whose change triggers the validation. */
  abstract readonly watches: readonly Setting[];

  /**
   * Runs in the transaction of the change, before the settings are locked: take further locks here, in the same order
   * as other code that locks the data first and then changes settings.
   */
  async prepare(): Promise<void> {
    // A rule about settings alone needs no further lock.
  }

  /** Runs in the transaction of the change, which a violation rolls back. */
  abstract check(proposed: SettingsDraft): Promise<readonly SettingViolation[]>;

  /** As `check`, but runs after the changes are stored: for rules that need a reader of the settings. */
  async checkStored(_proposed: SettingsDraft): Promise<readonly SettingViolation[]> {
    return [];
  }
}

/** Registry of validators. Feature modules add rules that need their knowledge. */
export class SettingsValidators {
  private readonly checks: SettingsValidator[] = [];

  /** Call it while modules are constructed. */
  add(check: SettingsValidator): void {
    this.checks.push(check);
  }

  all(): readonly SettingsValidator[] {
    return this.checks;
  }
}
