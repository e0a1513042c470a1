import { RouteConfig } from '@nestjs/platform-fastify';

/** Default limit of a request body. */
export const BODY_LIMIT_BYTES = 64 * 1024;
/** Limit for routes that accept thousands of ids. */
export const LARGE_BODY_BYTES = 1024 * 1024;

const KEY = 'castellan_body_limit';

/** Limits the body of the route in bytes; a larger body is `payload_too_large`. */
export const BodyLimit = (bytes: number): MethodDecorator => RouteConfig({ [KEY]: bytes });

/** @param config Fastify's config of a route. */
export function bodyLimitOf(config: unknown): number {
  const limit = typeof config === 'object' && config !== null ? (config as Record<string, unknown>)[KEY] : undefined;
  return typeof limit === 'number' ? limit : BODY_LIMIT_BYTES;
}
