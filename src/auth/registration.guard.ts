import { CanActivate, Injectable } from '@nestjs/common';
import { RegistrationOpening } from './registration-opening';

/** Closes registration while setting `register.enabled` is off: a guard, as 403 stands before the fields. */
@Injectable()
export class RegistrationGuard implements CanActivate {
  constructor(private readonly opening: RegistrationOpening) {}

  /** Errors: `registration_disabled`. */
  async canActivate(): Promise<boolean> {
    await this.opening.require();
    return true;
  }
}
