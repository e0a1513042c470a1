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
import { Caller, contextOf, OAuthClientPrincipal, requestIn } from '../context';
import { InputGuard } from '../http/input';
import { ProblemFilter } from '../http/problems';
import { platformErrors } from '../errors';
import { AccessGuard } from './access.guard';
import { markOwnRoutes, OAuthRoute } from '../http';

export const API_CONTROLLER = Symbol('castellan.api_controller');

/**
 * Whether the class is decorated as a controller of this service. A subclass inherits guards and filter, but its
 * routes are not marked as ours: it needs the decorator, too.
 */
export const isOwnController = (controller: object): boolean => Reflect.hasOwnMetadata(API_CONTROLLER, controller);

/**
 * A controller with the access guard, the input checks and the problem filter of this service. They are bound to the
 * controller, never globally, so a host application's other routes do not change.
 */
export function ServiceController(path: string): ClassDecorator {
  return applyDecorators(
    // Keeps the path when a host versions its routes.
    Controller({ path, version: VERSION_NEUTRAL }),
    markOwnRoutes,
    SetMetadata(API_CONTROLLER, true),
    UseGuards(AccessGuard, InputGuard),
    UseFilters(ProblemFilter),
  );
}

/** A controller whose routes implement a protocol: it validates its own input, and unknown parameters are allowed. */
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
  const { caller } = contextOf(requestIn(context));
  if (!caller) throw platformErrors.unauthenticated();
  return caller;
}

function readCallerOrClient(_: unknown, context: ExecutionContext): Caller | OAuthClientPrincipal {
  const { caller, client } = contextOf(requestIn(context));
  const principal = caller ?? client;
  if (!principal) throw platformErrors.unauthenticated();
  return principal;
}

/** The caller that the access guard authenticated; not for public routes. */
export const CurrentCaller = createParamDecorator(readCaller);

/** As `CurrentCaller`, on routes with `@AllowClients()`: a user, or an OAuth client that acts for itself. */
export const CurrentCallerOrClient = createParamDecorator(readCallerOrClient);

/** Whether Nest's parameter metadata belongs to a parameter that only the access guard can fill. */
export function isCallerParameter(record: unknown): boolean {
  const { factory } = record as { readonly factory?: unknown };
  return factory === readCaller || factory === readCallerOrClient;
}
