import { Injectable, OnModuleInit } from '@nestjs/common';
import { SettingsDraft, SettingsValidator, SettingsValidators, SettingViolation } from '../platform/settings';
import { CodeTargetRepository } from './code-target.repository';
import { timeZone } from './code.settings';

/** The database computes the day, and its list of time zones may be older than that of this process. */
@Injectable()
export class TimeZoneCheck extends SettingsValidator implements OnModuleInit {
  readonly watches = [timeZone];

  constructor(
    private readonly checks: SettingsValidators,
    private readonly targets: CodeTargetRepository,
  ) {
    super();
  }

  onModuleInit(): void {
    this.checks.add(this);
  }

  async check(proposed: SettingsDraft): Promise<readonly SettingViolation[]> {
    const isKnown = await this.targets.knowsTimeZone(proposed.get(timeZone));
    return isKnown ? [] : [{ setting: timeZone, code: 'time_zone' }];
  }
}
