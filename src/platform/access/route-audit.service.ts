import { Injectable, Type } from '@nestjs/common';
import { GUARDS_METADATA, METHOD_METADATA } from '@nestjs/common/constants';
import { DiscoveryService, MetadataScanner, ModuleRef } from '@nestjs/core';
import { fieldlessInputs, InputGuard } from '../input';
import { API_CONTROLLER } from './api-controller';
import { idleDecorators } from './idle-decorators';
import { OWNERSHIP } from './ownership';
import { declaredPermissions } from './permission-declarations';
import { AccessPolicy, PRE_VALIDATION_GUARDS, ALLOWED_CLIENTS, POLICY, RECENT_LOGIN } from './policy';

type Controller = new (...args: never[]) => object;
type Handler = Parameters<typeof fieldlessInputs>[1];

interface Route {
  readonly name: string;
  readonly policy: AccessPolicy | undefined;
  /** What machines need, where the route is open to them. */
  readonly forMachines: readonly string[] | undefined;
  readonly asksRecentLogin: boolean;
  readonly ownership: Type | undefined;
  readonly beforeFields: readonly Type[];
  /** Classes of query and body without a declared field. */
  readonly fieldless: readonly string[];
}

/** Looks at every route of our controllers before the first request. */
@Injectable()
export class RouteAuditService {
  private readonly scanner = new MetadataScanner();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly modules: ModuleRef,
  ) {}

  /**
   * What would leave a route more open than it reads ends the start: no access policy, a decorator that no guard reads or
   * that has no effect beside the others, a rule that is no provider, a permission that nobody declares.
   */
  refuseUndeclared(): void {
    const routes = this.controllers().flatMap((controller) => this.routesOf(controller));
    const [idle] = [
      ...idleDecorators(this.discovery),
      ...routes.flatMap(ineffectiveIn),
      ...routes.flatMap(fieldlessIn),
      ...this.missingAmong(routes),
    ];
    if (idle !== undefined) throw new Error(idle);
    rejectUnlisted(routes);
  }
  /** The guard finds rules and guards by their classes, when the first request asks for them. */
  private missingAmong(routes: readonly Route[]): string[] {
    return routes.flatMap(({ name, ownership, beforeFields }) => [
      ...this.missing(ownership ? [ownership] : [], `@OwnedBy() on ${name}`),
      ...this.missing(beforeFields, `@PreValidationGuards() on ${name}`),
    ]);
  }

  private missing(classes: readonly Type[], what: string): string[] {
    return classes
      .filter((type) => !this.isProvided(type))
      .map((type) => `${what} names ${type.name}, which no module provides: put it into the providers of its module`);
  }

  private isProvided(type: Type): boolean {
    try {
      this.modules.get<unknown>(type, { strict: false });
      return true;
    } catch {
      return false;
    }
  }

  private controllers(): Controller[] {
    return this.discovery
      .getControllers()
      .map(({ metatype }) => metatype as Controller | null)
      .filter((metatype) => metatype !== null)
      .filter((metatype) => Reflect.getMetadata(API_CONTROLLER, metatype) === true);
  }

  private routesOf(controller: Controller): Route[] {
    const prototype = controller.prototype as Record<string, object>;
    return this.scanner
      .getAllMethodNames(prototype)
      .filter((name) => Reflect.hasMetadata(METHOD_METADATA, prototype[name] ?? {}))
      .map((name) => routeOf(controller, name, prototype[name] ?? {}));
  }
}

function rejectUnlisted(routes: readonly Route[]): void {
  const bare = routes.filter(({ policy }) => policy === undefined).map(({ name }) => name);
  if (bare.length > 0) throw new Error(`Routes without an access policy: ${bare.join(', ')}`);
  const closed = routes.filter(isContradictory).map(({ name }) => name);
  if (closed.length > 0) throw new Error(`Routes for machines are not public and ask no login: ${closed.join(', ')}`);
  const misspelt = routes.flatMap(misspeltOf);
  if (misspelt.length > 0) {
    throw new Error(`Permissions are resource:action or scope:resource:action: ${misspelt.join(', ')}`);
  }
  const known = new Set(declaredPermissions());
  const unknown = routes
    .flatMap(({ policy, forMachines = [] }) => [...ownAmong(permissionsOf(policy)), ...forMachines])
    .filter((permission) => !known.has(permission));
  if (unknown.length > 0) throw new Error(`Permissions no module declares: ${[...new Set(unknown)].join(', ')}`);
}

function routeOf(controller: Controller, name: string, handler: object): Route {
  const declared = (key: symbol): unknown => Reflect.getMetadata(key, handler) ?? Reflect.getMetadata(key, controller);
  return {
    name: `${controller.name}.${name}`,
    policy: declared(POLICY) as AccessPolicy | undefined,
    forMachines: Reflect.getMetadata(ALLOWED_CLIENTS, handler) as readonly string[] | undefined,
    asksRecentLogin: declared(RECENT_LOGIN) !== undefined,
    ownership: declared(OWNERSHIP) as Type | undefined,
    beforeFields: (declared(PRE_VALIDATION_GUARDS) as readonly Type[] | undefined) ?? [],
    fieldless: isChecked(controller) ? fieldlessInputs(controller, handler as Handler) : [],
  };
}

const isChecked = (controller: Controller): boolean =>
  ((Reflect.getMetadata(GUARDS_METADATA, controller) ?? []) as unknown[]).includes(InputGuard);

const fieldlessIn = ({ name, fieldless }: Route): string[] =>
  fieldless.map(
    (type) =>
      `${name} takes ${type}, which declares no field: put @TextField() or another field decorator on its properties`,
  );

/** Decorators that the route's policy makes void. */
function ineffectiveIn({ name, policy, ownership, asksRecentLogin, forMachines }: Route): string[] {
  const { kind } = policy ?? {};
  if (ownership && policy && kind !== 'permission') {
    return [
      `@OwnedBy() on ${name} asks nobody: it counts beside @RequirePermission, whose permissions owners do not need`,
    ];
  }
  if (asksRecentLogin && kind === 'public' && !forMachines) {
    return [`@RequireRecentLogin() on ${name} asks nobody: it counts beside @Authenticated or @RequirePermission`];
  }
  return [];
}

/** No machine has logged in, and what is open to all needs no token. */
const isContradictory = ({ policy, forMachines, asksRecentLogin }: Route): boolean =>
  forMachines !== undefined && (policy?.kind === 'public' || asksRecentLogin);

const permissionsOf = (policy: AccessPolicy | undefined): readonly string[] =>
  policy?.kind === 'permission' ? policy.permissions : [];

/** Of the service's own scope: `scope:resource:action` of another one is a host's, and operators put it into the catalogue. */
const ownAmong = (permissions: readonly string[]): readonly string[] =>
  permissions.filter((permission) => permission.split(':').length === 2);

/** `[scope:]resource:action`, each a name or a wildcard; what is written otherwise nobody could ever hold. */
const PERMISSION = /^(?:\*|(?:(?:[a-z][a-z0-9_-]{0,49}|\*):){1,2}(?:[a-z][a-z0-9_-]{0,49}|\*))$/;

function misspeltOf({ name, policy, forMachines = [] }: Route): string[] {
  const wrong = [...permissionsOf(policy), ...forMachines].filter((permission) => !PERMISSION.test(permission));
  return wrong.map((permission) => `"${permission}" of ${name}`);
}
