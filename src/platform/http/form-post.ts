import { RouteConfig } from '@nestjs/platform-fastify';

const KEY = 'castellan_form_post';

/**
 * The route takes forms beside JSON, also from other sites' pages: it has a proof of its own that the browser means it, or
 * asks for no cookie at all.
 */
export const FormPost = (): MethodDecorator => RouteConfig({ [KEY]: true });

/** @param config Fastify's record of a route. */
export function takesForms(config: unknown): boolean {
  return typeof config === 'object' && config !== null && (config as Record<string, unknown>)[KEY] === true;
}
