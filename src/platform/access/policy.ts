import { applyDecorators, SetMetadata } from '@nestjs/common';

export type AccessPolicy =
  | { readonly kind: 'public' }
  | { readonly kind: 'signed_in' }
  | { readonly kind: 'permission'; readonly permissions: readonly string[] };

export const POLICY = Symbol('castellan.policy');
export const RECENT_LOGIN = Symbol('castellan.recent_login');
export const DURING_PASSWORD_CHANGE = Symbol('castellan.during_password_change');

type RouteDecorator = MethodDecorator & ClassDecorator;

const policy = (value: AccessPolicy): RouteDecorator => SetMetadata(POLICY, value);

/** Anybody may call the route. */
export const Public = (): RouteDecorator => policy({ kind: 'public' });

/** Anybody with a live session may call the route. */
export const SignedIn = (): RouteDecorator => policy({ kind: 'signed_in' });

/**
 * Only a holder of all the permissions may call the route: `resource:action` in the service's own scope, or
 * `scope:resource:action`; its module declares them with `definePermissions`.
 */
export const RequirePermission = (...permissions: [string, ...string[]]): RouteDecorator =>
  policy({ kind: 'permission', permissions });

/** The session must have proved its identity within setting `session.recent_login_seconds`. */
export const RequireRecentLogin = (): RouteDecorator => SetMetadata(RECENT_LOGIN, true);

/** The route stays open to a user who must change the password first. */
export const DuringPasswordChange = (): RouteDecorator => applyDecorators(SetMetadata(DURING_PASSWORD_CHANGE, true));
