import { RouteConfig } from '@nestjs/platform-fastify';

const KEY = 'castellan_form_post';

/** The route accepts forms besides JSON, also from other sites: it has its own CSRF protection or uses no cookies. */
export const FormPost = (): MethodDecorator => RouteConfig({ [KEY]: true });

/** @param config Fastify's config of a route. */
export function takesForms(config: unknown): boolean {
  return typeof config === 'object' && config !== null && (config as Record<string, unknown>)[KEY] === true;
}
