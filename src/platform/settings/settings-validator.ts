import type { ProblemParams } from '../errors';
import { Setting } from './setting';

/** The settings as they would be if the changes under way were kept. */
export interface SettingsDraft {
  get<T>(setting: Setting<T>): T;
  /** Whether the changes name the setting, be it with the value it has. */
  isNamed(setting: Setting): boolean;
  /** Whether the changes give the setting another value. */
  isChanged(setting: Setting): boolean;
  /** The value in force until the changes are kept. */
  before<T>(setting: Setting<T>): T;
  /** Whether the changes bring back what a setting was: nobody has given the value now. */
  readonly isRollback: boolean;
}

/** Why the proposed settings cannot be; `code` is a key of `fields` in `i18n/<language>/errors.json`. */
export interface SettingViolation {
  readonly setting: Setting;
  readonly code: string;
  readonly params?: ProblemParams;
}

/** A rule that one setting alone cannot keep: between settings, or between a setting and what else is stored. */
export abstract class SettingsValidator {
  /** The rule is asked about when changes name one of these. */
  abstract readonly watches: readonly Setting[];

  /**
   * In the transaction of the change, before it locks the settings: whoever must lock more than them does it here, since
   * others who hold that lock go on to change settings.
   */
  async prepare(): Promise<void> {
    // A rule about settings alone needs no lock of its own.
  }

  /** In the transaction of the change, which is undone where there is an objection. */
  abstract check(proposed: SettingsDraft): Promise<readonly SettingViolation[]>;

  /** As `check`, once the changes are stored: for what nobody can tell but whoever reads the settings. */
  async checkStored(_proposed: SettingsDraft): Promise<readonly SettingViolation[]> {
    return [];
  }
}

/** The checks that modules have added; modules to the right of settings bring the rules that need their knowledge. */
export class SettingsValidators {
  private readonly checks: SettingsValidator[] = [];

  /** To be called while modules are built. */
  add(check: SettingsValidator): void {
    this.checks.push(check);
  }

  all(): readonly SettingsValidator[] {
    return this.checks;
  }
}
