import { RouteConfig } from '@nestjs/platform-fastify';

const KEY = 'castellan_acting_get';

/**
 * For a GET with side effects, as browser redirects need it, and for a stream, whose place a HEAD would hold without
 * reading it: HEAD, which must be safe (RFC 9110 §9.2.1), returns 404.
 */
export const RejectHead = (): MethodDecorator => RouteConfig({ [KEY]: true });

/** @param config Fastify's config of a route. */
export function actsOnGet(config: unknown): boolean {
  return typeof config === 'object' && config !== null && (config as Record<string, unknown>)[KEY] === true;
}
