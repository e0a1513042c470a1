import { applyDecorators, CanActivate, SetMetadata, Type } from '@nestjs/common';

export type AccessPolicy =
  | { readonly kind: 'public' }
  | { readonly kind: 'signed_in' }
  | { readonly kind: 'permission'; readonly permissions: readonly string[] };

export const POLICY = Symbol('castellan.policy');
export const RECENT_LOGIN = Symbol('castellan.recent_login');
export const FOR_MACHINES = Symbol('castellan.for_machines');
export const BEFORE_FIELDS = Symbol('castellan.before_fields');
export const DURING_PASSWORD_CHANGE = Symbol('castellan.during_password_change');
export const DURING_ENROLMENT = Symbol('castellan.during_enrolment');

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

/**
 * What a recent login must have proved: `1` factor, `2` (who has no second one must set it up first), or as many as are
 * `enrolled`, two for those alone who have two. Where setting `mfa.policy` is `off` nobody is asked for a second one.
 */
export type RecentFactors = 1 | 2 | 'enrolled';

/** The session must have proved its identity within setting `session.recent_login_seconds`. */
export const RequireRecentLogin = ({ factors = 1 }: { factors?: RecentFactors } = {}): RouteDecorator =>
  SetMetadata(RECENT_LOGIN, factors);

/** The route stays open to a user who must change the password first. */
export const DuringPasswordChange = (): RouteDecorator => applyDecorators(SetMetadata(DURING_PASSWORD_CHANGE, true));

/** The route stays open to a user who must set up a second factor first. */
export const DuringEnrolment = (): RouteDecorator => SetMetadata(DURING_ENROLMENT, true);

/**
 * Beside the policy, which is for users: the route is also open to an application that acts for itself (OAuth 2.0 client
 * credentials), where its token holds all of the permissions, `resource:action` of the service's own scope; any at all,
 * where none is named. Who it is says `@CurrentCallerOrMachine()`.
 */
export const ForMachines = (...permissions: string[]): MethodDecorator => SetMetadata(FOR_MACHINES, permissions);

/**
 * Guards of the route that stand before its fields are looked at, as 401 and 403 stand before 400. They are providers of
 * their modules, found by their classes; Nest's own `@UseGuards` on a route comes after the fields.
 */
export const BeforeFields = (...guards: Type<CanActivate>[]): MethodDecorator => SetMetadata(BEFORE_FIELDS, guards);
