import { INestApplication } from '@nestjs/common';
import { ExternalContextCreator } from '@nestjs/core';

type Handler = (...given: unknown[]) => Promise<unknown>;

/** Runs a method as @nestjs/graphql and @nestjs/websockets do, which this repository does not install. */
export function externalHandler(
  app: INestApplication,
  instance: object,
  method: string,
  type: 'graphql' | 'ws',
): Handler {
  const callback = (instance as Record<string, (...given: unknown[]) => unknown>)[method] ?? (() => undefined);
  const factory = { exchangeKeyForValue: () => undefined };
  const run = app
    .get(ExternalContextCreator)
    .create(instance, callback, method, '__routeArguments__', factory, undefined, undefined, undefined, type);
  // Of sockets, filters return nothing, and this class then throws the error again.
  return async (...given) => (await run(...given).catch(() => undefined)) as unknown;
}
