import { Injectable, OnModuleInit } from '@nestjs/common';
import { SettingsReader } from '../platform/settings';
import { usersErrors } from '../users';
import { CodePurposeRegistry } from '../verification';
import { registrationEnabled } from './auth.settings';

/** Whether people may register, by setting `register.enabled`; while they may not, no code for it is sent either. */
@Injectable()
export class RegistrationAvailabilityService implements OnModuleInit {
  constructor(
    private readonly settings: SettingsReader,
    private readonly purposes: CodePurposeRegistry,
  ) {}

  onModuleInit(): void {
    this.purposes.guard('register', () => this.require());
  }

  /** Errors: `registration_disabled`. */
  async require(): Promise<void> {
    if (!(await this.settings.get(registrationEnabled))) throw usersErrors.registrationDisabled();
  }
}
