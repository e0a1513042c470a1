import { Type } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants';
import { ModuleRef } from '@nestjs/core';
import { methodNamesOf } from '../../util';

export interface RouteHandler {
  /** `Controller.method`, for messages. */
  readonly name: string;
  readonly handler: object;
}

export const isClass = (metatype: unknown): metatype is Type =>
  typeof metatype === 'function' && typeof metatype.prototype === 'object' && metatype.prototype !== null;

/** The methods of a controller that answer a route, with those that it inherits. */
export function routeHandlersOf(controller: { readonly name: string; readonly prototype: object }): RouteHandler[] {
  const prototype = controller.prototype as Record<string, object>;
  return methodNamesOf(controller.prototype)
    .map((name) => ({ name: `${controller.name}.${name}`, handler: prototype[name] ?? {} }))
    .filter(({ handler }) => Reflect.hasMetadata(METHOD_METADATA, handler));
}

/** What a route declares: on the method, else on its controller. */
export const declaredOn = (key: symbol, controller: object, handler: object): unknown =>
  Reflect.getMetadata(key, handler) ?? Reflect.getMetadata(key, controller);

/** Whether any module provides the class. */
export function isProvided(modules: ModuleRef, type: Type): boolean {
  try {
    modules.get<unknown>(type, { strict: false });
    return true;
  } catch {
    return false;
  }
}
