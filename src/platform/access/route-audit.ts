import { Injectable } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { API_CONTROLLER } from './api-controller';
import { declaredPermissions } from './permission-declarations';
import { AccessPolicy, FOR_MACHINES, POLICY, RECENT_LOGIN } from './policy';

type Controller = new (...args: never[]) => object;

interface Route {
  readonly name: string;
  readonly policy: AccessPolicy | undefined;
  /** What machines need, where the route is open to them. */
  readonly forMachines: readonly string[] | undefined;
  readonly asksRecentLogin: boolean;
}

/** Looks at every route of our controllers before the first request. */
@Injectable()
export class RouteAudit {
  private readonly scanner = new MetadataScanner();

  constructor(private readonly discovery: DiscoveryService) {}

  /** A route that declares no access policy, or asks for a permission that nobody declares, ends the start. */
  refuseUndeclared(): void {
    const routes = this.controllers().flatMap((controller) => this.routesOf(controller));
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

function routeOf(controller: Controller, name: string, handler: object): Route {
  const declared = (key: symbol): unknown => Reflect.getMetadata(key, handler) ?? Reflect.getMetadata(key, controller);
  return {
    name: `${controller.name}.${name}`,
    policy: declared(POLICY) as AccessPolicy | undefined,
    forMachines: Reflect.getMetadata(FOR_MACHINES, handler) as readonly string[] | undefined,
    asksRecentLogin: declared(RECENT_LOGIN) !== undefined,
  };
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
