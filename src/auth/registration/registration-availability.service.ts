import { Injectable, OnModuleInit } from '@nestjs/common';
import { SettingsReader } from '../../platform/settings';
import { usersErrors } from '../../users';
import { CodePurposeRegistry } from '../../verification';
import { registrationEnabled } from '../account/auth.settings';

/**
 * Whether registration is open, by setting `register.enabled`. While it is closed, no registration codes are sent
 * either.
 */
@Injectable()
export class RegistrationAvailabilityService implements OnModuleInit {
  constructor(
    private readonly settings: SettingsReader,
    private readonly purposes: CodePurposeRegistry,
  ) {}

  onModuleInit(): void {
    this.purposes.guard('register', () => this.require());
  }

  /** Throws `registration_disabled`. */
  async require(): Promise<void> {
    if (!(await this.settings.get(registrationEnabled))) throw usersErrors.registrationDisabled();
  }
}
