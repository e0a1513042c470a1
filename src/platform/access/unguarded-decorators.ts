import { METHOD_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { DiscoveryService } from '@nestjs/core';
import { API_CONTROLLER, isCallerParameter, isOwnController } from './api-controller';
import { isHandler, isIdentityGuarded } from './guarded-handlers';
import {
  OWNERSHIP,
  AccessPolicy,
  PRE_VALIDATION_GUARDS,
  decoratorOf,
  ALLOWED_DURING,
  ALLOWED_CLIENTS,
  ALLOWED_WHILE_ACTING,
  IN_ORGANIZATION,
  IDENTITY_GUARDED,
  POLICY,
  RECENT_LOGIN,
  isClass,
} from './policy';
import { methodNamesOf, oncePerClass } from '../util';

interface Class {
  readonly name: string;
  readonly prototype: object;
}

const NAMES = new Map([
  [RECENT_LOGIN, '@RequireRecentLogin()'],
  [OWNERSHIP, '@OwnedBy()'],
  [ALLOWED_CLIENTS, '@AllowClients()'],
  [PRE_VALIDATION_GUARDS, '@PreValidationGuards()'],
  [ALLOWED_DURING, '@AllowDuring()'],
  [ALLOWED_WHILE_ACTING, '@AllowWhileActing()'],
  [IN_ORGANIZATION, '@InOrganization()'],
]);

/** Name of the first access decorator on a method or class. */
function decoratorOn(target: object): string | undefined {
  const policy = Reflect.getMetadata(POLICY, target) as AccessPolicy | undefined;
  if (policy) return decoratorOf(policy);
  return [...NAMES].find(([key]) => Reflect.hasMetadata(key, target))?.[1];
}

function parameterOn(type: Class, method: string): string | undefined {
  const args: unknown = Reflect.getMetadata(ROUTE_ARGS_METADATA, type, method);
  return Object.values(args ?? {}).some(isCallerParameter) ? '@CurrentCaller()' : undefined;
}

function methodsOf({ prototype }: Class): [string, object][] {
  const methods = prototype as Record<string, object>;
  return methodNamesOf(prototype).map((name) => [name, methods[name] ?? {}]);
}

/** Nest runs no guard for other methods, such as resolvers of fields. */
function idleUnderGuard(type: Class): string[] {
  return methodsOf(type).flatMap(([name, method]) => {
    const found = isHandler(method) ? undefined : decoratorOn(method);
    const why =
      'guards nothing, since Nest runs no guard there: write it on a route, query, mutation or message handler';
    return found === undefined ? [] : [`${found} on ${type.name}.${name} ${why}`];
  });
}

function idleInController(type: Class): string[] {
  if (isOwnController(type)) return [];
  if (Reflect.hasMetadata(API_CONTROLLER, type)) {
    return [`${type.name} extends a @ServiceController or @ApiController without being one: write the decorator on it`];
  }
  if (Reflect.hasMetadata(IDENTITY_GUARDED, type)) return idleUnderGuard(type);
  const why =
    'guards nothing, since the controller is a plain @Controller: write @ServiceController or @ApiController, or add @IdentityGuarded()';
  const onClass = decoratorOn(type);
  const found = methodsOf(type).flatMap(([name, method]) => {
    if (isIdentityGuarded(type, method) && isHandler(method)) return [];
    // Every method, since handlers of messages are open as well.
    const onMethod = decoratorOn(method) ?? parameterOn(type, name);
    const onRoute = Reflect.hasMetadata(METHOD_METADATA, method) ? onClass : undefined;
    const decorator = onMethod ?? onRoute;
    return decorator === undefined ? [] : [`${decorator} on ${type.name}.${name} ${why}`];
  });
  if (found.length > 0 || onClass === undefined) return found;
  return [`${onClass} on ${type.name} ${why}`];
}

function idleInProvider(type: Class): string[] {
  if (Reflect.hasMetadata(IDENTITY_GUARDED, type)) return idleUnderGuard(type);
  const why =
    'guards nothing, since only routes of @ServiceController and @ApiController are guarded: declare it there, or add @IdentityGuarded()';
  // A guard declares by a policy what it requires, which the OpenAPI document shows.
  const onClass = 'canActivate' in type.prototype ? undefined : decoratorOn(type);
  if (onClass !== undefined) return [`${onClass} on ${type.name} ${why}`];
  return methodsOf(type).flatMap(([name, method]) => {
    const found = isIdentityGuarded(type, method) && isHandler(method) ? undefined : decoratorOn(method);
    return found === undefined ? [] : [`${found} on ${type.name}.${name} ${why}`];
  });
}

const oncePerController = oncePerClass(idleInController);
const oncePerProvider = oncePerClass(idleInProvider);

const classesOf = (wrappers: readonly { readonly metatype: unknown }[]): Class[] => [
  ...new Set(wrappers.map(({ metatype }) => metatype).filter(isClass)),
];

/** Describes each access decorator that no guard reads: the route would look protected but be open. */
export function idleDecorators(discovery: DiscoveryService): string[] {
  return [
    ...classesOf(discovery.getControllers()).flatMap(oncePerController),
    ...classesOf(discovery.getProviders()).flatMap(oncePerProvider),
  ];
}
