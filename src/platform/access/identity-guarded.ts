import { applyDecorators, SetMetadata, UseFilters, UseGuards, UseInterceptors } from '@nestjs/common';
import { IDENTITY_GUARDED } from './policy/policy';
import { ProblemFilter } from '../http/problems';
import { IdentityContextInterceptor } from './identity-context.interceptor';
import { HostRouteGuard } from './host-route.guard';

/**
 * Makes the access decorators of the service work on a plain `@Controller`, a GraphQL resolver or a WebSocket gateway, or on
 * one of their methods. Every handler needs an access policy. Errors are answered as problems.
 */
export const IdentityGuarded = (): ClassDecorator & MethodDecorator =>
  applyDecorators(
    SetMetadata(IDENTITY_GUARDED, true),
    UseGuards(HostRouteGuard),
    UseInterceptors(IdentityContextInterceptor),
    UseFilters(ProblemFilter),
  );
