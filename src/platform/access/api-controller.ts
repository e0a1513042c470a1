import {
  applyDecorators,
  Controller,
  createParamDecorator,
  ExecutionContext,
  SetMetadata,
  UseFilters,
  UseGuards,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { Caller, contextOf, OAuthClientPrincipal } from '../context';
import { InputGuard } from '../input';
import { ProblemFilter } from '../problems';
import { platformErrors } from '../errors';
import { AccessGuard } from './access.guard';
import { markOwnRoutes, OAuthRoute } from './own-routes';

export const API_CONTROLLER = Symbol('castellan.api_controller');

/**
 * A controller with the service's guard, input checks and problem answers, bound to it alone: nothing is
 * registered globally, so a host application's other routes stay as they are.
 */
export function ServiceController(path: string): ClassDecorator {
  return applyDecorators(
    // A host that versions its routes in the path leaves ours where they are.
    Controller({ path, version: VERSION_NEUTRAL }),
    markOwnRoutes,
    SetMetadata(API_CONTROLLER, true),
    UseGuards(AccessGuard, InputGuard),
    UseFilters(ProblemFilter),
  );
}

/** A controller whose routes speak a protocol of their own: it judges its input itself, and unknown names are no error. */
export function ProtocolController(path: string): ClassDecorator {
  return applyDecorators(
    Controller({ path, version: VERSION_NEUTRAL }),
    markOwnRoutes,
    OAuthRoute,
    SetMetadata(API_CONTROLLER, true),
    UseGuards(AccessGuard),
    UseFilters(ProblemFilter),
  );
}

/** A `ServiceController` under `/api`. */
export const ApiController = (path: string): ClassDecorator => ServiceController(`api/${path}`);

function readCaller(_: unknown, context: ExecutionContext): Caller {
  const { caller } = contextOf(context.switchToHttp().getRequest<object>());
  if (!caller) throw platformErrors.unauthenticated();
  return caller;
}

function readCallerOrClient(_: unknown, context: ExecutionContext): Caller | OAuthClientPrincipal {
  const { caller, machine } = contextOf(context.switchToHttp().getRequest<object>());
  const who = caller ?? machine;
  if (!who) throw platformErrors.unauthenticated();
  return who;
}

/** The caller that the access guard found; only on routes that are not public. */
export const CurrentCaller = createParamDecorator(readCaller);

/** As `CurrentCaller`, on routes `@AllowClients()`: a user, or an application that acts for itself. */
export const CurrentCallerOrClient = createParamDecorator(readCallerOrClient);

/** Whether Nest's record of a parameter is of one that only the access guard can fill. */
export function isCallerParameter(record: unknown): boolean {
  const { factory } = record as { readonly factory?: unknown };
  return factory === readCaller || factory === readCallerOrClient;
}
