import { METHOD_METADATA } from '@nestjs/common/constants';
import { MetadataScanner } from '@nestjs/core';
import { RouteConfig } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants';

const OWN = 'castellan';
const OPERATION = 'castellan_operation';
const scanner = new MetadataScanner();

const isMarked = (config: unknown, mark: string): boolean =>
  typeof config === 'object' && config !== null && (config as Record<string, unknown>)[mark] === true;

function mark({ prototype }: { readonly prototype: unknown }, marks: Readonly<Record<string, true>>): void {
  const methods = prototype as Record<string, (() => unknown) | undefined>;
  for (const name of scanner.getAllMethodNames(methods)) {
    const method = methods[name];
    if (!method || !Reflect.hasMetadata(METHOD_METADATA, method)) continue;
    const config: unknown = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, method);
    RouteConfig({ ...(config as object | undefined), ...marks })(method);
  }
}

/**
 * Class decorator: marks each route of the controller in Fastify's own record of it, so that it is known as ours under
 * whatever prefix or spelling a request finds it.
 */
export const markOwnRoutes: ClassDecorator = (controller) => {
  mark(controller, { [OWN]: true });
};

/** Class decorator: the routes tell how the service is, so they answer in whatever state it is. */
export const Operation: ClassDecorator = (controller) => {
  mark(controller, { [OPERATION]: true });
};

/** Whether Fastify's `config` of a route carries the mark. */
export function isOwnRoute(config: unknown): boolean {
  return isMarked(config, OWN);
}

/** Whether the route is one that answers in whatever state the service is. */
export function isOperationRoute(config: unknown): boolean {
  return isMarked(config, OPERATION);
}
