import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ActingRules, Authenticated, rejectWhileActing, UserAdmissionService } from '../platform/access';
import { CodeChannelRegistry } from './code-channel.registry';
import { codeErrors } from './codes.errors';

/** A code for a new contact is for the user only. */
const CLOSED: ActingRules = { allowedWhileActing: false, recentFactors: undefined };

/** A guard, so that 401 and 403 take precedence over validation errors. `bind` requires a login. */
@Injectable()
@Authenticated()
export class CodesGuard implements CanActivate {
  constructor(
    private readonly users: UserAdmissionService,
    private readonly channels: CodeChannelRegistry,
  ) {}

  /** Errors: those of a route that requires a login, for `bind`, and `verification_disabled`. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (isBinding(request.body)) rejectWhileActing(await this.users.require(request), CLOSED, false);
    if (!(await this.channels.isOn())) throw codeErrors.verificationDisabled();
    return true;
  }
}

const isBinding = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'purpose' in body && body.purpose === 'bind';
