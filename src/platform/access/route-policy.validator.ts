import { Injectable, Type } from '@nestjs/common';
import { GUARDS_METADATA } from '@nestjs/common/constants';
import { DiscoveryService, ModuleRef } from '@nestjs/core';
import { fieldlessInputs, InputGuard, unclassedInputs } from '../http/input';
import { isOwnController } from './api-controller';
import { guardedHandlers } from './guarded-handlers';
import { idleDecorators } from './unguarded-decorators';
import {
  OWNERSHIP,
  declaredPermissions,
  AccessPolicy,
  PRE_VALIDATION_GUARDS,
  ALLOWED_CLIENTS,
  ALLOWED_WHILE_ACTING,
  IN_ORGANIZATION,
  misplacedOrganizationIn,
  OrganizationRoute,
  OrganizationRule,
  pathOf,
  POLICY,
  RECENT_LOGIN,
  declaredOn,
  isProvided,
  RouteHandler,
  routeHandlersOf,
} from './policy';
import { oncePerClass } from '../util';

type Controller = new (...args: never[]) => object;
type Handler = Parameters<typeof fieldlessInputs>[1];

interface Route extends OrganizationRoute {
  /** Permissions that OAuth clients need; undefined if the route is closed to them. */
  readonly allowedClients: readonly string[] | undefined;
  readonly requiresRecentLogin: boolean;
  /** `@AllowWhileActing()` on the method itself. */
  readonly allowsActing: boolean;
  readonly ownership: Type | undefined;
  readonly preValidationGuards: readonly Type[];
  /** Classes of the query and the body that declare no field. */
  readonly fieldless: readonly string[];
  /** `@Body()` or `@Query()` of a type that is no class. */
  readonly unclassed: readonly string[];
}

/** Checks every route of our controllers at startup. */
@Injectable()
export class RoutePolicyValidator {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly modules: ModuleRef,
  ) {}

  /**
   * Throws if a route is more open than its declaration suggests: no access policy, a decorator that no guard reads or
   * that another one cancels, input that nothing checks, an ownership rule or guard without a provider, an undeclared
   * permission.
   */
  rejectUndeclared(): void {
    const routes = [
      ...this.controllers().flatMap(routesOf),
      ...guardedHandlers(this.discovery).map(({ type, ...handler }) => routeOf(type, handler)),
    ];
    const [idle] = [
      ...idleDecorators(this.discovery),
      ...routes.flatMap(ineffectiveIn),
      ...routes.flatMap(idleForActingIn),
      ...routes.flatMap(misplacedOrganizationIn),
      ...routes.flatMap(fieldlessIn),
      ...routes.flatMap(unclassedIn),
      ...this.missingAmong(routes),
    ];
    if (idle !== undefined) throw new Error(idle);
    rejectUnlisted(routes);
  }
  /** The access guard would notice only at the first request. */
  private missingAmong(routes: readonly Route[]): string[] {
    return routes.flatMap(({ name, ownership, preValidationGuards }) => [
      ...this.missing(ownership ? [ownership] : [], `@OwnedBy() on ${name}`),
      ...this.missing(preValidationGuards, `@PreValidationGuards() on ${name}`),
    ]);
  }

  private missing(classes: readonly Type[], what: string): string[] {
    return classes
      .filter((type) => !isProvided(this.modules, type))
      .map((type) => `${what} names ${type.name}, which no module provides: put it into the providers of its module`);
  }

  private controllers(): Controller[] {
    return this.discovery
      .getControllers()
      .map(({ metatype }) => metatype as Controller | null)
      .filter((metatype) => metatype !== null)
      .filter(isOwnController);
  }
}

function rejectUnlisted(routes: readonly Route[]): void {
  const bare = routes.filter(({ policy }) => policy === undefined).map(({ name }) => name);
  if (bare.length > 0) throw new Error(`Routes without an access policy: ${bare.join(', ')}`);
  const closed = routes.filter(isContradictory).map(({ name }) => name);
  if (closed.length > 0) {
    throw new Error(`Routes with @AllowClients() cannot be public or require a recent login: ${closed.join(', ')}`);
  }
  const misspelt = routes.flatMap(misspeltOf);
  if (misspelt.length > 0) {
    throw new Error(`Permissions are resource:action or scope:resource:action: ${misspelt.join(', ')}`);
  }
  const known = new Set(declaredPermissions());
  const unknown = routes
    .flatMap(({ policy, allowedClients = [] }) => [...ownAmong(permissionsOf(policy)), ...allowedClients])
    .filter((permission) => !known.has(permission));
  if (unknown.length > 0) throw new Error(`Permissions no module declares: ${[...new Set(unknown)].join(', ')}`);
}

const routesOf = oncePerClass((controller: Controller): readonly Route[] =>
  routeHandlersOf(controller).map((handler) => routeOf(controller, handler)),
);

function routeOf(controller: Controller, { name, handler }: RouteHandler): Route {
  const declared = (key: symbol): unknown => declaredOn(key, controller, handler);
  return {
    name,
    policy: declared(POLICY) as AccessPolicy | undefined,
    allowedClients: Reflect.getMetadata(ALLOWED_CLIENTS, handler) as readonly string[] | undefined,
    requiresRecentLogin: declared(RECENT_LOGIN) !== undefined,
    allowsActing: Reflect.hasMetadata(ALLOWED_WHILE_ACTING, handler),
    ownership: declared(OWNERSHIP) as Type | undefined,
    organization: declared(IN_ORGANIZATION) as OrganizationRule | undefined,
    path: pathOf(controller, handler),
    preValidationGuards: (declared(PRE_VALIDATION_GUARDS) as readonly Type[] | undefined) ?? [],
    fieldless: isChecked(controller) ? fieldlessInputs(controller, handler as Handler) : [],
    unclassed: isChecked(controller) ? unclassedInputs(controller, handler as Handler) : [],
  };
}

const isChecked = (controller: Controller): boolean =>
  ((Reflect.getMetadata(GUARDS_METADATA, controller) ?? []) as unknown[]).includes(InputGuard);

const unclassedIn = ({ name, unclassed }: Route): string[] =>
  unclassed.map(
    (decorator) =>
      `${name} has ${decorator} of a type that is no class, so nothing checks it: declare a class whose properties have @TextField() or another field decorator, or put @UncheckedInput() beside ${decorator} and validate it in the handler`,
  );

const fieldlessIn = ({ name, fieldless }: Route): string[] =>
  fieldless.map(
    (type) =>
      `${name} uses ${type}, which declares no field: put @TextField() or another field decorator on its properties`,
  );

/** Finds `@AllowWhileActing()` on a route that is open or closed to acting users anyway. */
function idleForActingIn({ name, policy, allowsActing, requiresRecentLogin }: Route): string[] {
  if (!allowsActing || (policy?.kind !== 'public' && !requiresRecentLogin)) return [];
  return [
    `@AllowWhileActing() on ${name} has no effect: a public route is open, and @RequireRecentLogin() keeps a route closed`,
  ];
}

/** Finds decorators that have no effect under the route's policy. */
function ineffectiveIn({ name, policy, ownership, requiresRecentLogin, allowedClients }: Route): string[] {
  const { kind } = policy ?? {};
  if (ownership && policy && kind !== 'permission') {
    return [
      `@OwnedBy() on ${name} has no effect: use it with @RequirePermission, whose permissions owners do not need`,
    ];
  }
  if (requiresRecentLogin && kind === 'public' && !allowedClients) {
    return [`@RequireRecentLogin() on ${name} has no effect: use it with @Authenticated or @RequirePermission`];
  }
  return [];
}

/** A client never logs in, and a public route needs no token. */
const isContradictory = ({ policy, allowedClients, requiresRecentLogin }: Route): boolean =>
  allowedClients !== undefined && (policy?.kind === 'public' || requiresRecentLogin);

const permissionsOf = (policy: AccessPolicy | undefined): readonly string[] =>
  policy?.kind === 'permission' ? policy.permissions : [];

/**
 * Permissions of the service's own scope. Those of other scopes are the host's; operators add them to the catalogue.
 */
const ownAmong = (permissions: readonly string[]): readonly string[] =>
  permissions.filter((permission) => permission.split(':').length === 2);

/** `[scope:]resource:action`, each part a name or a wildcard. A permission of any other form could never be granted. */
const PERMISSION = /^(?:\*|(?:(?:[a-z][a-z0-9_-]{0,49}|\*):){1,2}(?:[a-z][a-z0-9_-]{0,49}|\*))$/;

function misspeltOf({ name, policy, allowedClients = [] }: Route): string[] {
  const wrong = [...permissionsOf(policy), ...allowedClients].filter((permission) => !PERMISSION.test(permission));
  return wrong.map((permission) => `"${permission}" of ${name}`);
}
