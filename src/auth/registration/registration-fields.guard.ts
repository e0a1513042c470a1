import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { RegisterDto } from './dto/register.dto';
import { InvitedApplicantsService } from './invited-applicants.service';
import { RegistrationFieldsService } from './registration-fields.service';

/** Runs before the body's validation, which would throw first and report only the rules of the body. */
@Injectable()
export class RegistrationFieldsGuard implements CanActivate {
  constructor(
    private readonly fields: RegistrationFieldsService,
    private readonly applicants: InvitedApplicantsService,
  ) {}

  /** Throws `validation_failed`, or `not_found` for an invitation. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { body } = context.switchToHttp().getRequest<{ body: unknown }>();
    const invited = await this.applicants.find(body);
    await this.fields.require(RegisterDto, invited?.body ?? body, invited?.vouched);
    return true;
  }
}
