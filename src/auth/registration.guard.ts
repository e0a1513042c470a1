import { CanActivate, Injectable } from '@nestjs/common';
import { RegistrationAvailabilityService } from './registration-availability.service';

/**
 * Closes registration while setting `register.enabled` is off. It is a guard so that 403 comes before any error of a
 * field.
 */
@Injectable()
export class RegistrationGuard implements CanActivate {
  constructor(private readonly opening: RegistrationAvailabilityService) {}

  /** Errors: `registration_disabled`. */
  async canActivate(): Promise<boolean> {
    await this.opening.require();
    return true;
  }
}
