import { Injectable, OnModuleInit } from '@nestjs/common';
import { SettingsDraft, SettingsValidator, SettingsValidators, SettingViolation } from '../settings';
import { allowedOrigins } from './http.settings';

/** As URLs are written out, which take more for a host than any browser is ever at, such as a wildcard. */
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:]+\])$/;

/** Refuses an origin that no page can have. Not as a rule of the kind: what was stored before would take the others with it. */
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
