import { Injectable, OnModuleInit } from '@nestjs/common';
import { SettingsDraft, SettingsValidator, SettingsValidators, SettingViolation } from '../platform/settings';
import { maxCodeAttempts, maxDailyCodes, UNLIMITED } from './code.settings';
import { areBounded, MAX_WRONG_PER_DAY } from './wrong-codes-per-day';

/**
 * With more codes per day than wrong attempts allow, strangers who request codes could use up the attempts of the owner. Without
 * a limit per day, an operator accepts that.
 */
@Injectable()
export class CodeLimitsCheck extends SettingsValidator implements OnModuleInit {
  readonly watches = [maxDailyCodes, maxCodeAttempts];

  constructor(private readonly checks: SettingsValidators) {
    super();
  }

  onModuleInit(): void {
    this.checks.add(this);
  }

  async check(proposed: SettingsDraft): Promise<readonly SettingViolation[]> {
    const [daily, attempts] = [proposed.get(maxDailyCodes), proposed.get(maxCodeAttempts)];
    if (daily === UNLIMITED || areBounded(daily, attempts)) return [];
    const params = { max: MAX_WRONG_PER_DAY.own, product: daily * attempts };
    return this.watches
      .filter((setting) => proposed.isNamed(setting))
      .map((setting) => ({ setting, code: 'codes_times_attempts', params }));
  }
}
