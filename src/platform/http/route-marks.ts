import { METHOD_METADATA } from '@nestjs/common/constants';
import { RouteConfig } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants';
import { methodNamesOf } from '../util';

const OWN = 'castellan';
const OPERATION = 'castellan_operation';
const PROTOCOL = 'castellan_protocol';
const FOR_CLIENTS = 'castellan_for_clients';
const AUTHZEN = 'castellan_authzen';

const isMarked = (config: unknown, mark: string): boolean =>
  typeof config === 'object' && config !== null && (config as Record<string, unknown>)[mark] === true;

function mark({ prototype }: { readonly prototype: unknown }, marks: Readonly<Record<string, true>>): void {
  const methods = prototype as Record<string, (() => unknown) | undefined>;
  for (const name of methodNamesOf(methods)) {
    const method = methods[name];
    if (!method || !Reflect.hasMetadata(METHOD_METADATA, method)) continue;
    addToConfig(method, marks);
  }
}

function addToConfig(method: () => unknown, marks: object): void {
  const config: unknown = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, method);
  RouteConfig({ ...(config as object | undefined), ...marks })(method);
}

/**
 * Class decorator: marks each route of the controller in Fastify's route config, so that it is recognized as ours under
 * any prefix or spelling of the URL.
 */
export const markOwnRoutes: ClassDecorator = (controller) => {
  mark(controller, { [OWN]: true });
};

/** Class decorator: the routes report the health of the service, so they respond in any state of it. */
export const HealthRoute: ClassDecorator = (controller) => {
  mark(controller, { [OPERATION]: true });
};

/**
 * Class decorator: the routes implement OAuth 2.0 or OpenID Connect. They accept forms, format errors as the RFCs say,
 * and use the CSRF protection of the protocol.
 */
export const OAuthRoute: ClassDecorator = (controller) => {
  mark(controller, { [PROTOCOL]: true });
  Reflect.defineMetadata(PROTOCOL, true, controller);
};

/** Class decorator: pages of registered clients may read the responses across origins, without credentials. */
export const ForClients: ClassDecorator = (controller) => {
  mark(controller, { [FOR_CLIENTS]: true });
};

/**
 * Class decorator: the routes implement the OpenID AuthZEN Authorization API 1.0. They echo any request id (§10.1.3), and
 * a body of another media type is a bad request there (§10.1.2).
 */
export const AuthzenRoute: ClassDecorator = (controller) => {
  mark(controller, { [AUTHZEN]: true });
};

/** Whether Fastify's `config` of a route carries the mark. */
export function isOwnRoute(config: unknown): boolean {
  return isMarked(config, OWN);
}

/** Whether the route implements OAuth 2.0 or OpenID Connect. */
export function isOAuthRoute(config: unknown): boolean {
  return isMarked(config, PROTOCOL);
}

export function isOAuthController(controller: object): boolean {
  return Reflect.hasMetadata(PROTOCOL, controller);
}

export function isRouteForClients(config: unknown): boolean {
  return isMarked(config, FOR_CLIENTS);
}

export function isAuthzenRoute(config: unknown): boolean {
  return isMarked(config, AUTHZEN);
}

/** Whether the route responds in any state of the service. */
export function isHealthRoute(config: unknown): boolean {
  return isMarked(config, OPERATION);
}
