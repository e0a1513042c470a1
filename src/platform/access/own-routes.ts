import { METHOD_METADATA } from '@nestjs/common/constants';
import { MetadataScanner } from '@nestjs/core';
import { RouteConfig } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants';

const OWN = 'castellan';
const scanner = new MetadataScanner();

/**
 * Class decorator: marks each route of the controller in Fastify's own record of it, so that it is known as ours under
 * whatever prefix or spelling a request finds it.
 */
export const markOwnRoutes: ClassDecorator = ({ prototype }) => {
  const methods = prototype as unknown as Record<string, (() => unknown) | undefined>;
  for (const name of scanner.getAllMethodNames(methods)) {
    const method = methods[name];
    if (!method || !Reflect.hasMetadata(METHOD_METADATA, method)) continue;
    const config: unknown = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, method);
    RouteConfig({ ...(config as object | undefined), [OWN]: true })(method);
  }
};

/** Whether Fastify's `config` of a route carries the mark. */
export function isOwnRoute(config: unknown): boolean {
  return typeof config === 'object' && config !== null && (config as Record<string, unknown>)[OWN] === true;
}
