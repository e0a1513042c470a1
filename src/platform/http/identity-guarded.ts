import { applyDecorators, SetMetadata, UseFilters, UseGuards, UseInterceptors } from '@nestjs/common';
import { IDENTITY_GUARDED } from '../access';
import { ProblemFilter } from '../problems';
import { IdentityContextInterceptor } from './identity-context.interceptor';
import { IdentityGuard } from './identity.guard';

/**
 * Makes the access decorators of the service work on a plain `@Controller`, a GraphQL resolver or a WebSocket gateway, or on
 * one of their methods. Every handler needs an access policy. Errors are answered as problems.
 */
export const IdentityGuarded = (): ClassDecorator & MethodDecorator =>
  applyDecorators(
    SetMetadata(IDENTITY_GUARDED, true),
    UseGuards(IdentityGuard),
    UseInterceptors(IdentityContextInterceptor),
    UseFilters(ProblemFilter),
  );
