import { CanActivate, SetMetadata, Type } from '@nestjs/common';

export type AccessPolicy =
  | { readonly kind: 'public' }
  | { readonly kind: 'authenticated' }
  | { readonly kind: 'permission'; readonly permissions: readonly string[] };

export const POLICY = Symbol('castellan.policy');
export const RECENT_LOGIN = Symbol('castellan.recent_login');
export const ALLOWED_CLIENTS = Symbol('castellan.allowed_clients');
export const PRE_VALIDATION_GUARDS = Symbol('castellan.pre_validation_guards');
/** On a plain controller, resolver or gateway, or a method: `@IdentityGuarded()`. */
export const IDENTITY_GUARDED = Symbol('castellan.identity_guarded');
export const IN_ORGANIZATION = Symbol('castellan.in_organization');
export const ALLOWED_DURING = Symbol('castellan.allowed_during');

type RouteDecorator = MethodDecorator & ClassDecorator;

const DECORATORS = {
  public: '@Public()',
  authenticated: '@Authenticated()',
  permission: '@RequirePermission()',
} as const;

/** The decorator that declares such a policy. */
export const decoratorOf = ({ kind }: AccessPolicy): string => DECORATORS[kind];

/** Rejects a second policy: it would silently replace the first. */
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

/** The route needs no authentication. */
export const Public = (): RouteDecorator => policy({ kind: 'public' });

/** Any user with a valid session may call the route. */
export const Authenticated = (): RouteDecorator => policy({ kind: 'authenticated' });

/**
 * Only users who hold all of the permissions may call the route: `resource:action` in the service's own scope, declared
 * with `definePermissions`, or `scope:resource:action`.
 */
export const RequirePermission = (...permissions: [string, ...string[]]): RouteDecorator => {
  if ((permissions as string[]).length === 0) {
    throw new Error('@RequirePermission() names no permission: write @Authenticated() where a session is enough');
  }
  return policy({ kind: 'permission', permissions });
};

/**
 * Factors that a recent login must have proved: `1`; `2`, so a user without a second factor must enrol one first; or
 * `enrolled`, two for users who have a second factor. If setting `mfa.policy` is `off`, one factor is enough.
 */
export type RecentFactors = 1 | 2 | 'enrolled';

/**
 * Requires that the user has proved the identity in this session within setting `session.recent_login_seconds`. By
 * default this includes the second factor of users who have one.
 */
export const RequireRecentLogin = ({ factors = 'enrolled' }: { factors?: RecentFactors } = {}): RouteDecorator =>
  SetMetadata(RECENT_LOGIN, factors);

/** A duty that closes all other routes to a user until it is done. */
export type PendingDuty = 'password_change' | 'terms' | 'attributes' | 'mfa_enrolment';

/** Keeps the route open to users with one of these duties. On a method, it replaces the list of the controller. */
export const AllowDuring = (...duties: [PendingDuty, ...PendingDuty[]]): RouteDecorator =>
  SetMetadata(ALLOWED_DURING, duties);

/**
 * Also opens the route to OAuth clients that act for themselves (client credentials, RFC 6749 §4.4). The token must
 * hold all of the permissions, `resource:action` of the service's own scope, or any permission if none is named. Use
 * `@CurrentCallerOrClient()` to read the caller.
 */
export const AllowClients = (...permissions: string[]): MethodDecorator => SetMetadata(ALLOWED_CLIENTS, permissions);

/**
 * Guards that run before the input is validated, so that their 401 and 403 precede a 400. They are providers of their
 * modules. Nest's own `@UseGuards` on a route runs after the validation.
 */
export const PreValidationGuards = (...guards: Type<CanActivate>[]): MethodDecorator =>
  SetMetadata(PRE_VALIDATION_GUARDS, guards);

/** The header in which a request names the organization it acts in. */
export const ORGANIZATION_HEADER = 'x-organization-id';

/** How a route names its organization. */
export interface OrganizationRule {
  /** The path parameter with the id. Without one, the header names it. */
  readonly parameter?: string;
}

/**
 * Checks the permissions of `@RequirePermission` within an organization: what the user holds there counts, beside what
 * holds everywhere. The organization is that of the header `X-Organization-Id`, or of the path parameter if `parameter`
 * names one. Read it as `contextOf(request).organizationId`; undefined: the request names none.
 */
export const InOrganization = (rule: OrganizationRule = {}): RouteDecorator => SetMetadata(IN_ORGANIZATION, rule);
