import { SetMetadata } from '@nestjs/common';
import { ErrorFactory } from '../../errors';

export const PROBLEMS = Symbol('castellan.problems');

/**
 * Declares errors of a route for OpenAPI. The document adds those that follow from the access policy, from the input
 * and from every route.
 */
export const ProblemResponses = (...errors: ErrorFactory[]): MethodDecorator =>
  SetMetadata(
    PROBLEMS,
    errors.map(({ code, status }) => ({ code, status })),
  );
