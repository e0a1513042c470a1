import { SetMetadata } from '@nestjs/common';
import { ErrorFactory } from '../errors';

export const PROBLEMS = Symbol('castellan.problems');

/**
 * Names the errors of a route for OpenAPI. Those that follow from its access policy, its input and from every route are
 * added by the document itself.
 */
export const ProblemResponses = (...errors: ErrorFactory[]): MethodDecorator =>
  SetMetadata(
    PROBLEMS,
    errors.map(({ code, status }) => ({ code, status })),
  );
