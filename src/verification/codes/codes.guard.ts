import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AccessPorts, requireUser, SignedIn } from '../../platform/access';
import { CodeChannels } from './code-channels';
import { codeErrors } from './codes.errors';

/** A guard, as who you are (401) and what you may (403) stand before the fields. `bind` needs what a login needs. */
@Injectable()
@SignedIn()
export class CodesGuard implements CanActivate {
  constructor(
    private readonly ports: AccessPorts,
    private readonly channels: CodeChannels,
  ) {}

  /** Errors: those of a route that needs a login, for `bind`; `verification_disabled`. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (isBinding(request.body)) await requireUser(this.ports, request);
    if (!(await this.channels.isOn())) throw codeErrors.verificationDisabled();
    return true;
  }
}

const isBinding = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'purpose' in body && body.purpose === 'bind';
