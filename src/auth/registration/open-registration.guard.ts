import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { InvitedApplicantsService } from './invited-applicants.service';
import { RegistrationAvailabilityService } from './registration-availability.service';

/** Same as `RegistrationGuard`, but an invitation opens the registration. */
@Injectable()
export class OpenRegistrationGuard implements CanActivate {
  constructor(
    private readonly availability: RegistrationAvailabilityService,
    private readonly applicants: InvitedApplicantsService,
  ) {}

  /** Throws `registration_disabled`, or `not_found` or `validation_failed` for an invitation. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { body } = context.switchToHttp().getRequest<{ body: unknown }>();
    const invited = await this.applicants.find(body);
    if (!invited) await this.availability.require();
    return true;
  }
}
