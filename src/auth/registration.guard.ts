import { CanActivate, Injectable } from '@nestjs/common';
import { SettingsReader } from '../platform/settings';
import { authErrors } from './auth.errors';
import { registrationEnabled } from './auth.settings';

/** Closes registration while setting `register.enabled` is off: a guard, as 403 stands before the fields. */
@Injectable()
export class RegistrationGuard implements CanActivate {
  constructor(private readonly settings: SettingsReader) {}

  /** Errors: `registration_disabled`. */
  async canActivate(): Promise<boolean> {
    if (!(await this.settings.get(registrationEnabled))) throw authErrors.registrationDisabled();
    return true;
  }
}
