import { METHOD_METADATA } from '@nestjs/common/constants';
import { DiscoveryService } from '@nestjs/core';
import { IDENTITY_GUARDED, isClass, RouteHandler } from './policy';
import { methodNamesOf, oncePerClass } from '../util';
import { isOwnController } from './api-controller';

/** Metadata of @nestjs/websockets and @nestjs/graphql, which are not loaded here. */
const MESSAGE = 'websockets:message_mapping';
const RESOLVER_TYPE = 'graphql:resolver_type';
/** Nest runs no guard for resolvers of fields. */
const RESOLVERS: ReadonlySet<unknown> = new Set(['Query', 'Mutation', 'Subscription']);

type GuardedClass = new (...args: never[]) => object;

export interface GuardedHandler extends RouteHandler {
  readonly type: GuardedClass;
}

/** Whether Nest runs guards for the method. */
export const isHandler = (method: object): boolean =>
  Reflect.hasMetadata(METHOD_METADATA, method) ||
  Reflect.hasMetadata(MESSAGE, method) ||
  RESOLVERS.has(Reflect.getMetadata(RESOLVER_TYPE, method));

/** Whether `@IdentityGuarded()` is on the method or its class. */
export const isIdentityGuarded = (type: object, method: object): boolean =>
  Reflect.hasMetadata(IDENTITY_GUARDED, type) || Reflect.hasMetadata(IDENTITY_GUARDED, method);

const handlersOf = oncePerClass((type: GuardedClass): GuardedHandler[] => {
  const methods = type.prototype as Record<string, object>;
  return methodNamesOf(methods)
    .map((name) => ({ type, name: `${type.name}.${name}`, handler: methods[name] ?? {} }))
    .filter(({ handler }) => isIdentityGuarded(type, handler) && isHandler(handler));
});

/** The routes, resolvers and message handlers under `@IdentityGuarded()`. */
export function guardedHandlers(discovery: DiscoveryService): GuardedHandler[] {
  const wrappers = [...discovery.getControllers(), ...discovery.getProviders()];
  const types = [...new Set(wrappers.map(({ metatype }) => metatype as unknown).filter(isClass))];
  return types.filter((type) => !isOwnController(type)).flatMap(handlersOf);
}
