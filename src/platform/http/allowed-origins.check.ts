import { Injectable, OnModuleInit } from '@nestjs/common';
import { SettingsDraft, SettingsValidator, SettingsValidators, SettingViolation } from '../settings';
import { allowedOrigins } from './http.settings';

/** Host as `URL` serializes it. The URL parser also accepts hosts, such as wildcards, that no browser visits. */
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:]+\])$/;

/**
 * Rejects origins that no page can have. Not part of the setting's kind: that would invalidate stored lists as a whole.
 */
@Injectable()
export class AllowedOriginsCheck extends SettingsValidator implements OnModuleInit {
  readonly watches = [allowedOrigins];

  constructor(private readonly checks: SettingsValidators) {
    super();
  }

  onModuleInit(): void {
    this.checks.add(this);
  }

  async check(proposed: SettingsDraft): Promise<readonly SettingViolation[]> {
    const isReal = (origin: string): boolean => HOST.test(new URL(origin).hostname);
    return proposed.get(allowedOrigins).every(isReal) ? [] : [{ setting: allowedOrigins, code: 'origin' }];
  }
}
