import {
  applyDecorators,
  Controller,
  createParamDecorator,
  ExecutionContext,
  SetMetadata,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
} from '@nestjs/common';
import { Caller, contextOf } from '../context';
import { InputPipe, StrictNamesInterceptor } from '../input';
import { ProblemFilter } from '../problems';
import { platformErrors } from '../errors';
import { AccessGuard } from './access.guard';

export const API_CONTROLLER = Symbol('castellan.api_controller');

/**
 * A controller with the service's guard, input checks and problem answers, bound to it alone: nothing is
 * registered globally, so a host application's other routes stay as they are.
 */
export function ServiceController(path: string): ClassDecorator {
  return applyDecorators(
    Controller(path),
    SetMetadata(API_CONTROLLER, true),
    UseGuards(AccessGuard),
    UseInterceptors(StrictNamesInterceptor),
    UsePipes(InputPipe),
    UseFilters(ProblemFilter),
  );
}

/** A `ServiceController` under `/api`. */
export const ApiController = (path: string): ClassDecorator => ServiceController(`api/${path}`);

/** The caller that the access guard found; only on routes that are not public. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller } = contextOf(context.switchToHttp().getRequest<object>());
  if (!caller) throw platformErrors.unauthenticated();
  return caller;
});
