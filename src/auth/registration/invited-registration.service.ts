import { Injectable } from '@nestjs/common';
import { InvitationAcceptanceService } from '../../organizations/invitations';
import { AttemptOrigin } from '../login';
import { UserView } from '../../users';
import { RegisterDto } from './dto/register.dto';
import { InvitedApplicantsService } from './invited-applicants.service';
import { RegistrationService } from './registration.service';

/** Registrations over HTTP, with an invitation or without one. */
@Injectable()
export class InvitedRegistrationService {
  constructor(
    private readonly applicants: InvitedApplicantsService,
    private readonly registration: RegistrationService,
    private readonly invitations: InvitationAcceptanceService,
  ) {}

  /** Throws the errors of `RegistrationService.register`; with an invitation also `not_found`. */
  async register(body: RegisterDto, origin: AttemptOrigin): Promise<UserView> {
    const invited = await this.applicants.find(body);
    if (!invited) return this.registration.register(body, origin);
    const { token, vouched } = invited;
    return this.registration.register(invited.body, origin, {
      source: 'register',
      ...vouched,
      first: () => this.invitations.hold(token),
      // Of parallel registrations with one invitation, the others fail here and leave no account.
      also: (user) => this.invitations.acceptAsNew(user, token),
    });
  }
}
