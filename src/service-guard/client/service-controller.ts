import {
  applyDecorators,
  Controller,
  createParamDecorator,
  ExecutionContext,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import { Caller } from '../../platform/context';
import { platformErrors } from '../../platform/errors';
import { findCaller, findOrganization } from './callers';
import { RemoteAccessGuard } from './remote-access.guard';
import { RemoteProblemFilter } from './remote-problem.filter';

/** A controller whose routes need an access policy each: `@Public`, `@Authenticated` or `@RequirePermission`. */
export function ServiceController(path = ''): ClassDecorator {
  return applyDecorators(Controller(path), UseGuards(RemoteAccessGuard), UseFilters(RemoteProblemFilter));
}

/** A `ServiceController` under `/api`. */
export const ApiController = (path: string): ClassDecorator => ServiceController(`api/${path}`);

function readCaller(_: unknown, context: ExecutionContext): Caller {
  const caller = findCaller(context.switchToHttp().getRequest<object>());
  if (!caller) throw platformErrors.unauthenticated();
  return caller;
}

/** The user that the guard authenticated; not for public routes. */
export const CurrentCaller = createParamDecorator(readCaller);

/** The id of the organization that `@InOrganization()` checked; undefined if the request names none. */
export const CurrentOrganizationId = createParamDecorator((_: unknown, context: ExecutionContext): string | undefined =>
  findOrganization(context.switchToHttp().getRequest<object>()),
);
