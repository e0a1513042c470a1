import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { RegistrationFieldsService } from '../../../auth';
import { provenEmail } from '../identities';
import { ticketOf } from './account-link-token.guard';
import { BindRegisterDto } from './dto/bind.dto';

/** Reports all invalid fields at once, as at `POST /api/auth/register`. Runs after `AccountLinkTokenGuard`. */
@Injectable()
export class BindRegistrationFieldsGuard implements CanActivate {
  constructor(private readonly fields: RegistrationFieldsService) {}

  /** Throws `validation_failed`, `temp_token_invalid`. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    await this.fields.require(BindRegisterDto, request.body, { provenEmail: provenEmail(ticketOf(request)) });
    return true;
  }
}
