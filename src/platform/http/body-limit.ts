import { RouteConfig } from '@nestjs/platform-fastify';

/** What a body may hold where its route says nothing else. */
export const BODY_LIMIT_BYTES = 64 * 1024;
/** For routes that take thousands of ids. */
export const LARGE_BODY_BYTES = 1024 * 1024;

const KEY = 'castellan_body_limit';

/** The most bytes the route's body may have; one more is `payload_too_large`. */
export const BodyLimit = (bytes: number): MethodDecorator => RouteConfig({ [KEY]: bytes });

/** @param config Fastify's record of a route. */
export function bodyLimitOf(config: unknown): number {
  const limit = typeof config === 'object' && config !== null ? (config as Record<string, unknown>)[KEY] : undefined;
  return typeof limit === 'number' ? limit : BODY_LIMIT_BYTES;
}
