import { CanActivate, Injectable } from '@nestjs/common';
import { RegistrationAvailabilityService } from './registration-availability.service';

/** Closes registration while setting `register.enabled` is off. A guard, so that 403 comes before any field error. */
@Injectable()
export class RegistrationGuard implements CanActivate {
  constructor(private readonly availability: RegistrationAvailabilityService) {}

  /** Throws `registration_disabled`. */
  async canActivate(): Promise<boolean> {
    await this.availability.require();
    return true;
  }
}
