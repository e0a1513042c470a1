import { RouteConfig } from '@nestjs/platform-fastify';

const NO_HEAD = 'castellan_acting_get';
const KNOWN_ORIGIN = 'castellan_known_origin';

/** For a GET with side effects that browsers come to from other sites: HEAD, which must be safe (RFC 9110 §9.2.1), returns 404. */
export const RejectHead = (): MethodDecorator => RouteConfig({ [NO_HEAD]: true });

/**
 * For a GET that is audited, counts towards a limit or holds resources, as a stream does: a link or a page of another site
 * must not cause it, nor a HEAD. Errors: `csrf_rejected`.
 */
export const RequireKnownOrigin = (): MethodDecorator => RouteConfig({ [NO_HEAD]: true, [KNOWN_ORIGIN]: true });

const isMarked = (config: unknown, key: string): boolean =>
  typeof config === 'object' && config !== null && (config as Record<string, unknown>)[key] === true;

/** @param config Fastify's config of a route. */
export const actsOnGet = (config: unknown): boolean => isMarked(config, NO_HEAD);

/** @param config Fastify's config of a route. */
export const requiresKnownOrigin = (config: unknown): boolean => isMarked(config, KNOWN_ORIGIN);
