import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { contextOf } from '../../platform/context';
import { remoteGuardErrors } from './remote-guard.errors';

/** Rejects users with `client_required`: no user, whatever permissions they hold, has a session checked for a service. */
@Injectable()
export class ClientOnlyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (contextOf(context.switchToHttp().getRequest<object>()).client) return true;
    throw remoteGuardErrors.clientRequired();
  }
}
