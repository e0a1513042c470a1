import { METHOD_METADATA } from '@nestjs/common/constants';
import { MetadataScanner } from '@nestjs/core';
import { RouteConfig } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants';

const OWN = 'castellan';
const OPERATION = 'castellan_operation';
const PROTOCOL = 'castellan_protocol';
const FOR_CLIENTS = 'castellan_for_clients';
const scanner = new MetadataScanner();

const isMarked = (config: unknown, mark: string): boolean =>
  typeof config === 'object' && config !== null && (config as Record<string, unknown>)[mark] === true;

function mark({ prototype }: { readonly prototype: unknown }, marks: Readonly<Record<string, true>>): void {
  const methods = prototype as Record<string, (() => unknown) | undefined>;
  for (const name of scanner.getAllMethodNames(methods)) {
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
 * Class decorator: marks each route of the controller in Fastify's own record of it, so that it is known as ours under
 * whatever prefix or spelling a request finds it.
 */
export const markOwnRoutes: ClassDecorator = (controller) => {
  mark(controller, { [OWN]: true });
};

/** Class decorator: the routes tell how the service is, so they answer in whatever state it is. */
export const HealthRoute: ClassDecorator = (controller) => {
  mark(controller, { [OPERATION]: true });
};

/**
 * Class decorator: the routes speak a protocol with rules of its own (OAuth 2.0): they take forms, their errors are as
 * its RFCs say, and what stands against forged requests is part of it.
 */
export const OAuthRoute: ClassDecorator = (controller) => {
  mark(controller, { [PROTOCOL]: true });
  Reflect.defineMetadata(PROTOCOL, true, controller);
};

/** Class decorator: pages of registered clients may read the answers from a browser, without credentials. */
export const ForClients: ClassDecorator = (controller) => {
  mark(controller, { [FOR_CLIENTS]: true });
};

/** Whether Fastify's `config` of a route carries the mark. */
export function isOwnRoute(config: unknown): boolean {
  return isMarked(config, OWN);
}

/** Whether the route, or the controller's class, speaks a protocol of its own. */
export function isOAuthRoute(config: unknown): boolean {
  return isMarked(config, PROTOCOL);
}

export function isOAuthController(controller: object): boolean {
  return Reflect.hasMetadata(PROTOCOL, controller);
}

export function isRouteForClients(config: unknown): boolean {
  return isMarked(config, FOR_CLIENTS);
}

/** Whether the route is one that answers in whatever state the service is. */
export function isHealthRoute(config: unknown): boolean {
  return isMarked(config, OPERATION);
}
