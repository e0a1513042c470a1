import { CanActivate, SetMetadata, Type } from '@nestjs/common';

export type AccessPolicy =
  | { readonly kind: 'public' }
  | { readonly kind: 'signed_in' }
  | { readonly kind: 'permission'; readonly permissions: readonly string[] };

export const POLICY = Symbol('castellan.policy');
export const RECENT_LOGIN = Symbol('castellan.recent_login');
export const ALLOWED_CLIENTS = Symbol('castellan.allowed_clients');
export const PRE_VALIDATION_GUARDS = Symbol('castellan.pre_validation_guards');
export const ALLOWED_DURING = Symbol('castellan.allowed_during');

type RouteDecorator = MethodDecorator & ClassDecorator;

const DECORATORS = { public: '@Public()', signed_in: '@Authenticated()', permission: '@RequirePermission()' } as const;

/** The decorator that declares such a policy. */
export const decoratorOf = ({ kind }: AccessPolicy): string => DECORATORS[kind];

/** The later of two would win without a word: nobody could see which. */
const policy =
  (value: AccessPolicy): RouteDecorator =>
  (target: object, key?: string | symbol, descriptor?: PropertyDescriptor) => {
    const decorated = (descriptor?.value ?? target) as object;
    if (Reflect.hasOwnMetadata(POLICY, decorated)) {
      const name = key === undefined ? (target as { name: string }).name : `${target.constructor.name}.${String(key)}`;
      throw new Error(`${name} has two access policies: keep one of @Public, @Authenticated and @RequirePermission`);
    }
    Reflect.defineMetadata(POLICY, value, decorated);
  };

/** Anybody may call the route. */
export const Public = (): RouteDecorator => policy({ kind: 'public' });

/** Anybody with a live session may call the route. */
export const Authenticated = (): RouteDecorator => policy({ kind: 'signed_in' });

/**
 * Only a holder of all the permissions may call the route: `resource:action` in the service's own scope, or
 * `scope:resource:action`; its module declares them with `definePermissions`.
 */
export const RequirePermission = (...permissions: [string, ...string[]]): RouteDecorator => {
  if ((permissions as string[]).length === 0) {
    throw new Error('@RequirePermission() names no permission: write @Authenticated() where a session is enough');
  }
  return policy({ kind: 'permission', permissions });
};

/**
 * What a recent login must have proved: `1` factor, `2` (who has no second one must set it up first), or as many as are
 * `enrolled`, two for those alone who have two. Where setting `mfa.policy` is `off` nobody is asked for a second one.
 */
export type RecentFactors = 1 | 2 | 'enrolled';

/**
 * The session must have proved its identity within setting `session.recent_login_seconds`, with the second factor of a
 * user who has one unless `factors` says otherwise.
 */
export const RequireRecentLogin = ({ factors = 'enrolled' }: { factors?: RecentFactors } = {}): RouteDecorator =>
  SetMetadata(RECENT_LOGIN, factors);

/** What a user may have to do before other routes open: change the password, or set up a second factor. */
export type PendingDuty = 'password_change' | 'mfa_enrolment';

/** Keeps the route open to users who still have one of these duties. On a method it replaces the controller's list. */
export const AllowDuring = (...duties: [PendingDuty, ...PendingDuty[]]): RouteDecorator =>
  SetMetadata(ALLOWED_DURING, duties);

/**
 * Beside the policy, which is for users: the route is also open to an application that acts for itself (OAuth 2.0 client
 * credentials), where its token holds all of the permissions, `resource:action` of the service's own scope; any at all,
 * where none is named. `@CurrentCallerOrClient()` gives the caller.
 */
export const AllowClients = (...permissions: string[]): MethodDecorator => SetMetadata(ALLOWED_CLIENTS, permissions);

/**
 * Guards of the route that stand before its fields are looked at, as 401 and 403 stand before 400. They are providers of
 * their modules, found by their classes; Nest's own `@UseGuards` on a route comes after the fields.
 */
export const PreValidationGuards = (...guards: Type<CanActivate>[]): MethodDecorator =>
  SetMetadata(PRE_VALIDATION_GUARDS, guards);
