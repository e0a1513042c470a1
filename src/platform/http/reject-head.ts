import { RouteConfig } from '@nestjs/platform-fastify';

const KEY = 'castellan_acting_get';

/** The GET does something, as browsers that are sent there need it: HEAD, which may not (RFC 9110 §9.2.1), is not found. */
export const RejectHead = (): MethodDecorator => RouteConfig({ [KEY]: true });

/** @param config Fastify's record of a route. */
export function actsOnGet(config: unknown): boolean {
  return typeof config === 'object' && config !== null && (config as Record<string, unknown>)[KEY] === true;
}
